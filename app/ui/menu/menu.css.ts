import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, screen, shadow, space } from "~/styles/tokens.css";

export const menu = style({ position: "relative", display: "inline-block" });

export const opener = style({
  listStyle: "none",
  userSelect: "none",
  selectors: { "&::-webkit-details-marker": { display: "none" } },
});

export const sheet = style({
  position: "absolute",
  zIndex: 10,
  top: "calc(100% + 4px)",
  minWidth: "11rem",
  maxWidth: "min(20rem, 90vw)",
  padding: space.tiny,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  boxShadow: shadow.high,
});

export const side = styleVariants({ start: { insetInlineStart: 0 }, end: { insetInlineEnd: 0 } });

export const item = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  width: "100%",
  padding: `0.375rem ${space.small}`,
  background: "none",
  border: 0,
  borderRadius: radius.small,
  color: colour.ink,
  fontSize: "0.875rem",
  textAlign: "start",
  textDecoration: "none",
  ":hover": { background: colour.sunken },
  ":focus-visible": { outlineOffset: -2 },
  "@media": { [screen.touch]: { minHeight: "2.75rem" } },
});

export const danger = style({ color: colour.danger.ink, ":hover": { background: colour.danger.soft } });
