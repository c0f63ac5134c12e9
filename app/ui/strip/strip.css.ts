import { style, styleVariants } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

export const strip = style({ display: "flex", alignItems: "flex-end", gap: 2, height: "1.5rem" });

export const item = style({ flex: "0 1 6px", minWidth: 2, height: "100%", display: "flex", alignItems: "flex-end" });

/** Height repeats the meaning of the colour: good has full height, worse is lower. */
export const tick = styleVariants({
  success: { background: colour.success.solid, height: "100%" },
  info: { background: colour.info.solid, height: "100%" },
  warning: { background: colour.warning.solid, height: "70%" },
  danger: { background: colour.danger.solid, height: "40%" },
  neutral: { background: colour.neutral.line, height: "20%" },
});

export const shape = style({ width: "100%", borderRadius: 1.5, forcedColorAdjust: "none" });
