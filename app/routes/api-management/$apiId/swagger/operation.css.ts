import { globalStyle, style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

/** Where a third column fits beside the list and the text. */
const roomy = "(min-width: 75rem)";
/** Where what stays in sight leaves room for what moves past it. */
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

// Long code scrolls by itself, so that what sends it stays in sight.
globalStyle(`${beside} pre`, { "@media": { [roomy]: { maxHeight: "16rem" } } });

/** Leads down to what else stands beside the text. */
export const jump = style({ "@media": { [roomy]: { display: "none" } } });

export const picker = style({ display: "flex", alignItems: "end", gap: space.small });

export const choice = style({ flex: 1, minWidth: 0 });

export const filled = style({ color: colour.inkSoft, fontSize: text.small });
