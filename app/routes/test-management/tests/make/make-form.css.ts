import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const group = style({
  position: "relative",
  minInlineSize: 0,
  margin: 0,
  padding: 0,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  background: colour.surface,
});

export const buttons = style({
  padding: `${space.small} ${space.large}`,
  borderBottom: `1px solid ${colour.line}`,
  ":empty": { display: "none" },
});

export const rows = style({ listStyle: "none", margin: 0, padding: 0 });

export const row = style({
  position: "relative",
  padding: `${space.tiny} ${space.large}`,
  "@media": { [screen.wide]: { paddingInlineEnd: "7rem" } },
  borderBottom: `1px solid ${colour.line}`,
  selectors: { "&:last-child": { borderBottom: "none" } },
});

/** Folded, it takes no line of its own where there is space beside the name. */
export const steps = style({
  fontSize: text.small,
  "@media": { [screen.wide]: { marginInlineEnd: `calc(${space.large} - 7rem)` } },
});

const besideName = {
  "@media": {
    [screen.wide]: { position: "absolute", insetBlockStart: space.tiny, insetInlineEnd: space.large },
  },
} as const;

globalStyle(`${steps} > summary`, besideName);

export const stepsLink = style([besideName, { fontSize: text.small }]);

/** A badge with a sentence. */
export const long = style({ whiteSpace: "normal" });

export const phase = style({ margin: 0, fontWeight: weight.medium });

export const list = style({ margin: 0, paddingInlineStart: space.large, overflowWrap: "anywhere" });

/** As wide as a checkbox, which aligns the names. */
export const settled = style({
  display: "grid",
  gridTemplateColumns: "1rem minmax(0, 1fr)",
  columnGap: space.small,
  fontSize: "0.875rem",
});

export const settledIcon = style({ marginTop: "0.1875rem", color: colour.inkSoft });

export const description = style({ color: colour.inkSoft, fontSize: text.small });

export const all = style({ display: "grid", gap: space.small });
