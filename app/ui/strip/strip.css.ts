import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, screen, space } from "~/styles/tokens.css";

export const strip = style({ display: "flex", alignItems: "flex-end", gap: 2, height: "1.5rem" });

/** One target for all bars, at least 24 px even for a single bar (WCAG 2.5.8). */
export const link = style({
  display: "inline-block",
  minWidth: "1.5rem",
  maxWidth: "100%",
  borderRadius: radius.small,
  textDecoration: "none",
  ":hover": { background: colour.sunken, boxShadow: `0 0 0 ${space.tiny} ${colour.sunken}` },
  "@media": { [screen.touch]: { minWidth: "2.75rem", paddingBlock: "0.625rem" } },
});

/** Full height, so that low bars are easy to hover. */
export const item = style({
  flex: "0 1 auto",
  width: 6,
  minWidth: 2,
  height: "100%",
  display: "flex",
  alignItems: "flex-end",
});

/** Height repeats the meaning of the colour: good has full height, worse is lower. */
export const tick = styleVariants({
  success: { background: colour.success.solid, height: "100%" },
  info: { background: colour.info.solid, height: "100%" },
  warning: { background: colour.warning.solid, height: "70%" },
  danger: { background: colour.danger.solid, height: "40%" },
  neutral: { background: colour.neutral.line, height: "20%" },
});

export const shape = style({ width: "100%", borderRadius: 1.5, forcedColorAdjust: "none" });
