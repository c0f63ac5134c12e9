import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

export const frame = style({ overflowX: "auto", padding: space.large, borderRadius: radius.medium });

export const drawing = style({ display: "block", maxWidth: "none", overflow: "visible" });

export const line = style({ fill: "none", stroke: colour.inkFaint, strokeWidth: 1.5 });

/** A second cue besides the words. */
export const softLine = style([line, { strokeDasharray: "5 4" }]);

export const arrow = style({ fill: colour.inkFaint });

export const box = style({ fill: colour.surface, stroke: colour.lineControl, strokeWidth: 1 });

export const name = style({ fill: colour.accent, fontSize: text.small, fontWeight: weight.medium });

export const detail = style({ fill: colour.inkSoft, fontSize: "0.6875rem" });

export const node = style({});

globalStyle(`${node}:hover rect, ${node}:focus-visible rect`, { stroke: colour.accent, strokeWidth: 2 });
globalStyle(`${node}:hover text`, { textDecoration: "none" });

export const legend = style({
  display: "flex",
  flexWrap: "wrap",
  gap: `${space.hair} ${space.large}`,
  padding: `0 ${space.large} ${space.large}`,
  color: colour.inkSoft,
  fontSize: text.small,
});

export const legendItem = style({ display: "inline-flex", alignItems: "center", gap: space.small });
