import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

/** Neighbours share their borders, as cells of one strip; an incomplete last row ends empty. */
export const list = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr))",
  gap: 1,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  overflow: "hidden",
});

export const stat = style({
  display: "grid",
  alignContent: "start",
  gap: space.hair,
  padding: `${space.medium} ${space.large}`,
  boxShadow: `0 0 0 1px ${colour.line}`,
});

export const label = style({ color: colour.inkSoft, fontSize: text.small });

export const value = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  fontSize: text.title,
  fontWeight: weight.strong,
  lineHeight: 1.3,
  letterSpacing: "-0.015em",
  fontVariantNumeric: "tabular-nums",
});

export const unit = style({ color: colour.inkSoft, fontSize: text.small, fontWeight: weight.normal, letterSpacing: 0 });

export const detail = style({ color: colour.inkSoft, fontSize: text.tiny });

export const tone = styleVariants({
  neutral: { color: colour.neutral.ink },
  success: { color: colour.success.ink },
  warning: { color: colour.warning.ink },
  danger: { color: colour.danger.ink },
  info: { color: colour.info.ink },
});
