import { style, styleVariants } from "@vanilla-extract/css";
import { plot } from "~/styles/plot-colours.css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const figure = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.small });

export const caption = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "space-between",
  gap: `${space.tiny} ${space.large}`,
  fontSize: text.small,
});

/** The drawing with the labels of its value axis to the left; the same width for all, so that plots align. */
export const ground = style({
  paddingInlineStart: "3.75rem",
  selectors: { "&[data-leads]": { cursor: "pointer" } },
});

/** What the plot shows in a sentence, or the values of the chosen step. Its height stays the same. */
export const readout = style({
  minHeight: "1.5em",
  paddingInlineStart: "3.75rem",
  color: colour.inkSoft,
  fontSize: text.small,
  lineHeight: 1.5,
  fontVariantNumeric: "tabular-nums",
  selectors: { "&[data-chosen]": { color: colour.ink, fontWeight: weight.medium } },
  "@media": { [screen.narrow]: { minHeight: "3em", paddingInlineStart: 0 } },
});

export const drawing = style({ display: "block", overflow: "visible", fontSize: "0.6875rem" });

export const gridLine = style({ stroke: colour.line, strokeWidth: 1 });

/** A halo in the background colour keeps figures readable where a line passes behind them. */
export const axisLabel = style({
  fill: colour.inkSoft,
  stroke: colour.surface,
  strokeWidth: 3,
  paintOrder: "stroke",
  fontVariantNumeric: "tabular-nums",
});

export const stepLabel = style({ fill: colour.ink, fontSize: text.small });

/** A figure next to such a label. */
export const figureLabel = style({ fill: colour.inkSoft, fontSize: text.small, fontVariantNumeric: "tabular-nums" });

/** The track behind a bar. */
export const track = style({ fill: colour.neutral.line });

export const waitLine = style({ stroke: colour.inkFaint, strokeWidth: 1 });

export const markLine = style({ stroke: colour.ink, strokeWidth: 1.25, strokeDasharray: "4 2" });

export const markLabel = style([axisLabel, { fill: colour.ink, fontWeight: weight.strong }]);

/** The name if it fits, otherwise the number. */
export const wideLabel = style([markLabel, { "@media": { [screen.narrow]: { display: "none" } } }]);
export const narrowLabel = style([markLabel, { "@media": { [screen.wide]: { display: "none" } } }]);

export const bandLine = style({ fill: "none", stroke: colour.inkFaint, strokeWidth: 1, strokeOpacity: 0.55 });

export const bandEdge = style({ stroke: colour.inkFaint, strokeWidth: 1 });

/** Over a shape, in the colour behind it. */
export const patternLine = style({
  fill: "none",
  stroke: colour.surface,
  strokeWidth: 2,
  strokeOpacity: 0.6,
  "@media": { "(forced-colors: active)": { stroke: "Canvas", strokeOpacity: 1 } },
});

/** Joins the values of several series at a moment without neighbours. */
export const stem = style({ stroke: colour.inkFaint, strokeWidth: 1 });

export const point = style({ fill: "currentColor", stroke: colour.surface, strokeWidth: 1 });

export const line = style({ fill: "none", stroke: "currentColor", strokeWidth: 1.75, strokeLinejoin: "round" });

/** A second cue besides the colour for every series after the first. */
export const dash = styleVariants({
  0: {},
  1: { strokeDasharray: "6 3" },
  2: { strokeDasharray: "2 3" },
  3: { strokeDasharray: "8 3 2 3" },
});

export const area = style({ fill: "currentColor", fillOpacity: 0.1, stroke: "none" });

export const shape = style({ fill: "currentColor" });

/** The area of a step. `data-at` is the chosen one. */
export const touched = style({
  fill: "transparent",
  ":hover": { fill: colour.neutral.solid, fillOpacity: 0.14 },
  selectors: {
    "&[data-at]": { fill: colour.neutral.solid, fillOpacity: 0.14, stroke: colour.ink, strokeOpacity: 0.4 },
  },
  "@media": {
    "(forced-colors: active)": {
      selectors: { "&[data-at]": { fill: "transparent", stroke: "Highlight", strokeOpacity: 1, strokeWidth: 2 } },
    },
  },
});

/** Every series colour, as the current colour of its shapes. */
export const seriesColour = styleVariants({
  a: { color: plot.a },
  b: { color: plot.b },
  c: { color: plot.c },
  d: { color: plot.d },
  e: { color: plot.e },
  f: { color: plot.f },
  g: { color: plot.g },
  neutral: { color: colour.neutral.solid },
  success: { color: colour.success.solid },
  warning: { color: colour.warning.solid },
  danger: { color: colour.danger.solid },
  info: { color: colour.info.solid },
});

export const legend = style({
  display: "flex",
  flexWrap: "wrap",
  gap: `${space.hair} ${space.medium}`,
  color: colour.inkSoft,
});

export const legendItem = style({ display: "flex", alignItems: "center", gap: "0.375rem" });

export const lineSwatch = style({ width: 22, height: 12, flex: "none", overflow: "visible" });

export const swatch = style({ width: 12, height: 12, flex: "none", borderRadius: 2, overflow: "hidden" });

export const numbers = style({ width: "100%", fontSize: text.small, fontVariantNumeric: "tabular-nums" });

export const numbersFrame = style({ maxHeight: "18rem", overflow: "auto" });

export const numberCell = style({
  padding: `${space.tiny} ${space.small}`,
  borderTop: `1px solid ${colour.line}`,
  textAlign: "start",
  fontWeight: 400,
});

export const phases = style({ width: "100%", fontSize: text.small, tableLayout: "fixed" });

/** The heading is for screen readers only: it sets the widths and takes no space. */
export const phaseHead = style({ padding: "0 !important", lineHeight: 0 });

export const phaseName = style({ width: "5.5rem", padding: `${space.tiny} 0`, fontWeight: 400, textAlign: "start" });

export const phaseBar = style({ padding: `${space.tiny} ${space.small}` });

export const phaseTime = style({
  width: "4.5rem",
  padding: `${space.tiny} 0`,
  textAlign: "end",
  fontVariantNumeric: "tabular-nums",
});

export const phaseTrack = style({ background: colour.sunken, borderRadius: radius.small, width: "100%", height: 12 });

export const phaseTotal = style({ borderTop: `1px solid ${colour.line}`, fontWeight: 600 });
