import { style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const top = style({ justifyContent: "end", "@media": { [screen.narrow]: { justifyContent: "start" } } });

export const group = style({
  position: "relative",
  minInlineSize: 0,
  margin: 0,
  padding: 0,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  background: colour.surface,
});

export const legend = style({
  float: "inline-start",
  width: "100%",
  padding: `${space.small} ${space.large}`,
  paddingInlineEnd: "11rem",
  borderBottom: `1px solid ${colour.line}`,
  fontSize: text.body,
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
});

export const count = style({ color: colour.inkSoft, fontWeight: weight.normal });

/** Next to the name of the group, in the free space of the legend. */
export const groupButtons = style({ position: "absolute", insetBlockStart: space.tiny, insetInlineEnd: space.small });

export const rows = style({ clear: "both", listStyle: "none", margin: 0, padding: 0 });

export const row = style({
  padding: `${space.small} ${space.large}`,
  borderBottom: `1px solid ${colour.line}`,
  selectors: { "&:last-child": { borderBottom: "none" } },
});

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
