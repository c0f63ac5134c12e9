import { globalStyle, style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

/** Wide enough for a third column next to the list and the text. */
const roomy = "(min-width: 75rem)";
/** Tall enough for the sticky part and the content that scrolls past it. */
const tall = "(min-width: 75rem) and (min-height: 32rem)";

export const columns = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.huge,
  alignItems: "start",
  "@media": { [roomy]: { gridTemplateColumns: "minmax(0, 1fr) 22rem" } },
});

export const beside = style({
  minWidth: 0,
  "@media": {
    [tall]: {
      position: "sticky",
      top: space.large,
      maxHeight: `calc(100dvh - 2 * ${space.large})`,
      overflowY: "auto",
    },
  },
});

// Long code has its own scrollbar, so that the form below stays in sight.
globalStyle(`${beside} pre`, { "@media": { [roomy]: { maxHeight: "16rem" } } });

/** Leads down to what a wide screen shows next to the text. */
export const jump = style({ "@media": { [roomy]: { display: "none" } } });

export const picker = style({ display: "flex", alignItems: "end", gap: space.small });

export const choice = style({ flex: 1, minWidth: 0 });

export const filled = style({ color: colour.inkSoft, fontSize: text.small });
