import { scaleLinear } from "d3-scale";

/** Space above the highest grid line for its label, and below the lowest for the axis labels, in pixels. */
const above = 16;
const below = 22;

export interface ValueScale {
  /** Pixels from the top of the drawing. */
  y: (value: number) => number;
  /** Grid lines: the base and one or two above it. */
  ticks: number[];
  bottom: number;
}

/** Minimum and maximum of an axis that does not fit its values, such as shares of a whole. */
export type ValueBounds = readonly [least: number, greatest: number];

/** Maps values from zero to at least the greatest, or the given bounds, to a drawing `height` pixels high. */
export function valueScale(values: readonly number[], height: number, bounds?: ValueBounds): ValueScale {
  const range = [height - below, above];
  const scale = bounds
    ? scaleLinear().domain(bounds).range(range).clamp(true)
    : scaleLinear()
        .domain([0, Math.max(0, ...values) || 1])
        .nice(2)
        .range(range);
  const ticks = bounds ? [bounds[0], (bounds[0] + bounds[1]) / 2, bounds[1]] : scale.ticks(2);
  return { y: (value) => scale(value), ticks, bottom: height - below };
}

/** A share of the width as an SVG coordinate: the drawing is as wide as its container, which the server can't know. */
export function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** Keeps labels at the edges inside the drawing. */
export function anchorAt(share: number): "start" | "middle" | "end" {
  if (share < 0.06) return "start";
  return share > 0.94 ? "end" : "middle";
}

/** The first, the last and two between: the maximum for the narrowest screen. */
export function spreadTicks(locations: readonly number[]): number[] {
  const last = locations.length - 1;
  if (last < 3) return [...locations];
  return [0, 1 / 3, 2 / 3, 1].map((part) => locations[Math.round(last * part)]!);
}
