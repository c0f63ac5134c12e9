import { style } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

export const illustration = style({
  flex: "none",
  fill: "none",
  stroke: colour.inkFaint,
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "@media": { "(forced-colors: active)": { stroke: "CanvasText" } },
});

export const tint = style({
  fill: colour.accentSoft,
  stroke: "none",
  "@media": { "(forced-colors: active)": { fill: "none" } },
});

export const accent = style({
  stroke: colour.accent,
  strokeWidth: 3,
  "@media": { "(forced-colors: active)": { stroke: "CanvasText" } },
});
