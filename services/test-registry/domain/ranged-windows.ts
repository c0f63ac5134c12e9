import { isOnAt, listSpansBetween, type MaintenanceWindowScope, mergeSpans, type Span } from "./maintenance-window.ts";
import { countMoments, type Recurrence } from "./recurrence/recurrence.ts";
import type { ScheduledDay } from "./scheduled-days.ts";

/** Windows with more occurrences are checked per time instead. */
const maxSpans = 1_000;

/** With its occurrences in the requested range; undefined if there are too many to list. */
export type RangedWindow<Window extends MaintenanceWindowScope = MaintenanceWindowScope> = Window & {
  spans: Span[] | undefined;
};

export function rangeWindow<Window extends MaintenanceWindowScope>(
  window: Window,
  range: { from: number; to: number },
): RangedWindow<Window> {
  return { ...window, spans: listSpansBetween(window.times, { ...range, atMost: maxSpans }) };
}

/** Whether it is active at a time in that range. */
export function isOnIn({ spans, times }: RangedWindow, moment: number): boolean {
  return spans ? spans.some(({ from, to }) => from <= moment && moment < to) : isOnAt(times, moment);
}

/** Number of times of a day within windows; null if those are too many to list. */
export function countSkipped(
  recurrence: Recurrence,
  { first, last }: Pick<ScheduledDay, "first" | "last">,
  windows: readonly RangedWindow[],
): number | null {
  const spans = windows.flatMap((window) => window.spans ?? []).filter(({ from, to }) => from <= last && to > first);
  if (windows.some((window) => !window.spans)) return null;
  return mergeSpans(spans).reduce(
    (sum, { from, to }) => sum + countMoments(recurrence, Math.max(from, first) - 1, Math.min(to - 1, last)),
    0,
  );
}
