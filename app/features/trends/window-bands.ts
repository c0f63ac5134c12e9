import type { Trends } from "#contracts/test-analyzer/trends.ts";
import type { PlotBand } from "~/ui/plot/plot-bands";

/** The times of one maintenance window in a period, with its letter in narrow plots. */
export interface WindowTimes {
  label: string;
  name: string;
  times: { from: string; to: string }[];
}

/** Windows in the order of their first time. */
export function groupWindows(windows: Trends["windows"]): WindowTimes[] {
  const groups = new Map<string, WindowTimes>();
  for (const { maintenanceWindowId: id, name, from, to } of windows ?? []) {
    const group = groups.get(id) ?? { label: letterAt(groups.size), name, times: [] };
    group.times.push({ from, to });
    groups.set(id, group);
  }
  return [...groups.values()];
}

const letterAt = (index: number) => String.fromCharCode(65 + (index % 26));

/**
 * The part of the axis that each time covers: steps are equally wide whatever their length, so a time is located within
 * its step. Only the first of a window has its label.
 */
export function windowBands(windows: readonly WindowTimes[], { points, until }: Pick<Trends, "points" | "until">) {
  const starts = points.map(({ from }) => Date.parse(from));
  const last = starts.at(-1) ?? 0;
  const usual = last - (starts.at(-2) ?? last);
  const ends = [...starts.slice(1), Math.max(Date.parse(until), last + usual)];
  const locate = (moment: number) => {
    const index = Math.max(
      0,
      starts.findLastIndex((start) => start <= moment),
    );
    const inStep = (moment - starts[index]!) / (ends[index]! - starts[index]!);
    return (index + Math.min(1, Math.max(0, inStep))) / starts.length;
  };
  return windows.flatMap(({ label, name, times }): PlotBand[] =>
    times.map(({ from, to }, index) => ({
      key: `${label} ${from}`,
      ...{ from: locate(Date.parse(from)), to: locate(Math.min(Date.parse(to), Date.parse(until))), name },
      label: index === 0 ? label : undefined,
    })),
  );
}
