import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, screen, space, weight } from "~/styles/tokens.css";

export const look = styleVariants({
  plain: {},
  framed: { background: colour.surface, border: `1px solid ${colour.line}`, borderRadius: radius.medium },
});

export const disclosure = style({ minWidth: 0 });

export const summary = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  listStyle: "none",
  cursor: "pointer",
  fontWeight: weight.medium,
  borderRadius: radius.medium,
  selectors: { "&::-webkit-details-marker": { display: "none" } },
  "@media": { [screen.touch]: { minHeight: "2.75rem" } },
});

export const summaryLook = styleVariants({
  plain: { padding: `${space.tiny} 0` },
  framed: { padding: `${space.small} ${space.medium}`, ":hover": { background: colour.sunken } },
});

export const arrow = style({
  color: colour.inkFaint,
  transition: "transform .12s",
  selectors: { [`${disclosure}[open] > ${summary} &`]: { transform: "rotate(90deg)" } },
});

export const words = style({
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.small,
});

export const content = styleVariants({
  plain: { padding: `${space.tiny} 0 ${space.small} 1.5rem` },
  framed: { padding: space.medium, borderTop: `1px solid ${colour.line}` },
});
