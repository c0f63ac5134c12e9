import { style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const cards = style({
  display: "grid",
  gap: space.large,
  gridTemplateColumns: "minmax(0, 1fr)",
  margin: 0,
  padding: 0,
  listStyle: "none",
  "@media": { [screen.wide]: { gridTemplateColumns: "repeat(auto-fit, minmax(15rem, 1fr))" } },
});

/** Its parts are rows of the grid, so that the prices, limits and buttons of neighbours are aligned. */
export const card = style({
  display: "grid",
  gridRow: "span 4",
  gridTemplateRows: "subgrid",
  gridTemplateColumns: "minmax(0, 1fr)",
  alignContent: "start",
  gap: space.large,
  padding: space.huge,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
});

export const marked = style({ borderColor: colour.accent, boxShadow: `0 0 0 1px ${colour.accent}` });

export const head = style({ display: "grid", gap: space.tiny, alignContent: "start" });

export const nameLine = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.small,
  minHeight: "1.75rem",
});

export const name = style({ fontSize: text.lead, fontWeight: weight.strong });

export const description = style({ color: colour.inkSoft, fontSize: text.small });

export const price = style({ display: "flex", flexWrap: "wrap", alignItems: "baseline", gap: space.small });

export const amount = style({
  fontSize: text.display,
  fontWeight: weight.strong,
  lineHeight: 1,
  letterSpacing: "-0.03em",
  fontVariantNumeric: "tabular-nums",
});

export const interval = style({ color: colour.inkSoft, fontSize: text.small });

/** On its own line below the price. */
export const trial = style({ flexBasis: "100%", fontSize: text.small, fontWeight: weight.strong });

export const limits = style({
  display: "grid",
  gap: space.small,
  alignContent: "start",
  margin: 0,
  padding: 0,
  listStyle: "none",
  fontSize: text.small,
});

export const limit = style({ display: "flex", gap: space.small });

export const tick = style({ flex: "none", marginTop: "0.125rem", color: colour.success.ink });
