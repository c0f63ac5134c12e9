import { scaleLinear, scaleLog } from "d3-scale";

/** Space above the highest grid line, and below the lowest for the axis labels, in pixels. */
const above = 8;
const aboveLabels = 30;
const below = 22;
/** Between two grid lines, in pixels. */
const gridStep = 48;

export interface ValueScale {
  /** Pixels from the top of the drawing. */
  y: (value: number) => number;
  /** Grid lines: the base and one or more above it. */
  ticks: number[];
  bottom: number;
}

/** Minimum and maximum of an axis that does not fit its values, such as shares of a whole. */
export type ValueBounds = readonly [least: number, greatest: number];

export interface ScaleShape {
  /** Of the drawing, in pixels. */
  height: number;
  bounds?: ValueBounds;
  /** By powers of ten; for values above zero. */
  logarithmic?: boolean;
  /** Number of labels above the plot. */
  labels?: number;
  /** Grid lines at whole numbers only. */
  whole?: boolean;
}

/** Maps values from zero to at least the greatest, or the given bounds, to a drawing. */
export function valueScale(values: readonly number[], shape: ScaleShape): ValueScale {
  const { height, bounds, logarithmic, labels = 0, whole } = shape;
  const bottom = height - below;
  const top = labels > 0 ? aboveLabels : above;
  const lines = Math.max(2, Math.round((bottom - top) / gridStep));
  const range = [bottom, top];
  if (logarithmic) {
    const [least, greatest] = powersAround(values);
    const scale = scaleLog()
      .domain([10 ** least, 10 ** greatest])
      .range(range)
      .clamp(true);
    const every = Math.ceil((greatest - least) / (lines + 1));
    const ticks = Array.from({ length: greatest - least + 1 }, (_, index) => least + index);
    return {
      y: scale,
      ticks: ticks.filter((power) => (power - least) % every === 0).map((power) => 10 ** power),
      bottom,
    };
  }
  if (bounds) {
    const ticks = [bounds[0], (bounds[0] + bounds[1]) / 2, bounds[1]];
    return { y: scaleLinear().domain(bounds).range(range).clamp(true), ticks, bottom };
  }
  const scale = scaleLinear()
    .domain([0, Math.max(0, ...values) || 1])
    .nice(lines)
    .range(range);
  const ticks = scale.ticks(lines);
  return { y: scale, ticks: whole ? ticks.filter(Number.isInteger) : ticks, bottom };
}

/** Exponents of ten below and above all values above zero. */
function powersAround(values: readonly number[]): [least: number, greatest: number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [0, 1];
  const least = Math.floor(Math.log10(Math.min(...positive)));
  return [least, Math.max(least + 1, Math.ceil(Math.log10(Math.max(...positive))))];
}

/** Whether values are so far apart that on a linear axis the low ones would lie on its base. */
export function areFarApart(values: readonly (number | null)[]): boolean {
  const positive = values.filter((value): value is number => value !== null && value > 0);
  return positive.length > 1 && Math.max(...positive) / Math.min(...positive) > 30;
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
