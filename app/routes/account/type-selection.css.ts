import { style } from "@vanilla-extract/css";
import { colour, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

export const container = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.huge,
  width: "100%",
  maxWidth: "46rem",
  margin: "0 auto",
  padding: `${space.section} ${space.large}`,
  "@media": { [screen.wide]: { paddingBlock: space.page } },
});

export const opening = style({ display: "grid", gap: space.small });

export const words = style({ color: colour.inkSoft });

export const choices = style({
  display: "grid",
  gap: space.large,
  gridTemplateColumns: "minmax(0, 1fr)",
  "@media": { [screen.wide]: { gridTemplateColumns: "repeat(2, minmax(0, 1fr))" } },
});

/** The whole card is the link. */
export const choice = style({
  display: "grid",
  gridTemplateRows: "auto auto 1fr auto",
  gap: space.small,
  height: "100%",
  padding: space.huge,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  color: colour.ink,
  textDecoration: "none",
  boxShadow: shadow.low,
  selectors: { "&:hover": { borderColor: colour.accent } },
});

export const icon = style({ selectors: { "&&": { width: 24, height: 24 } }, color: colour.accent });

export const name = style({ fontSize: text.lead, fontWeight: weight.strong });

export const go = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.small,
  marginTop: space.small,
  color: colour.accent,
  fontWeight: weight.medium,
});
