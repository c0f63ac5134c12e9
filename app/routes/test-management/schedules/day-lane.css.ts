import { style, styleVariants } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

export const lane = style({ display: "block", overflow: "visible" });

export const base = style({ stroke: colour.line, strokeWidth: 1 });

export const hour = style({ stroke: colour.line, strokeWidth: 1 });

export const band = style({ fill: colour.neutral.line, fillOpacity: 0.7 });

export const bandEdge = style({ stroke: colour.inkFaint, strokeWidth: 1 });

export const past = style({ fill: colour.neutral.solid, fillOpacity: 0.5 });

export const many = style({ fill: colour.accent });

/** All of them skipped. */
export const noneOfMany = style({ fill: "none", stroke: colour.inkFaint, strokeDasharray: "3 3" });

export const run = style({ stroke: colour.accent, strokeWidth: 2 });

/** What became of it. */
export const verdict = styleVariants(
  {
    neutral: colour.neutral,
    success: colour.success,
    warning: colour.warning,
    danger: colour.danger,
    info: colour.info,
  },
  ({ solid }) => ({ stroke: solid }),
);

/** Dashed, so that it differs without its colour. */
export const skippedRun = style({ stroke: colour.inkFaint, strokeDasharray: "3 3" });

export const now = style({
  stroke: colour.ink,
  strokeWidth: 1.5,
  "@media": { "(forced-colors: active)": { stroke: "Highlight" } },
});
