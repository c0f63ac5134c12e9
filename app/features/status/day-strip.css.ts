import { style, styleVariants } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

export const strip = style({ display: "flex", alignItems: "flex-end", gap: 1, height: "2.5rem" });

/** Height repeats the meaning of the colour: good has full height, worse is lower. */
export const day = styleVariants({
  success: { background: colour.success.solid, height: "100%" },
  info: { background: colour.info.solid, height: "100%" },
  warning: { background: colour.warning.solid, height: "70%" },
  danger: { background: colour.danger.solid, height: "40%" },
  neutral: { background: colour.neutral.line, height: "20%" },
});

/** A day without data: a stub at the base, which is no bar. */
export const unmeasured = style({
  height: "0.375rem",
  background: colour.inkFaint,
  opacity: 0.6,
});

export const legend = style({ display: "inline-flex", alignItems: "center", gap: "0.375rem" });

export const legendDay = style({ width: "0.375rem", forcedColorAdjust: "none" });

export const ends = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "space-between",
  columnGap: "1rem",
  color: colour.inkSoft,
  fontSize: text.small,
});

export const shape = style({ flex: "1 1 0", minWidth: 1, borderRadius: 1, forcedColorAdjust: "none" });
