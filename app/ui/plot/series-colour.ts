import type { Tone } from "~/ui/tone";

export type SeriesColour = "a" | "b" | "c" | "d" | "e" | "f" | "g" | Tone;

const order = ["a", "b", "c", "d", "e", "f", "g"] as const;

/** The colour of a series: its tone if it has a meaning, else the next of the seven kinds. */
export function seriesColour(index: number, tone?: Tone): SeriesColour {
  return tone ?? order[index % order.length]!;
}
