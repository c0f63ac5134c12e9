import { isOnAt, listSpansBetween, type MaintenanceWindowScope, mergeSpans, type Span } from "./maintenance-window.ts";
import { countMoments, type Recurrence } from "./recurrence/recurrence.ts";
import type { ScheduledDay } from "./scheduled-days.ts";

/** Windows that are more often are asked moment by moment. */
const mostSpans = 1_000;

/** With when it is in the time that is asked for; undefined where that is too often to list. */
export type RangedWindow<Window extends MaintenanceWindowScope = MaintenanceWindowScope> = Window & {
  spans: Span[] | undefined;
};

export function rangeWindow<Window extends MaintenanceWindowScope>(
  window: Window,
  range: { from: number; to: number },
): RangedWindow<Window> {
  return { ...window, spans: listSpansBetween(window.times, { ...range, atMost: mostSpans }) };
}

/** Whether it is on at a moment of that time. */
export function isOnIn({ spans, times }: RangedWindow, moment: number): boolean {
  return spans ? spans.some(({ from, to }) => from <= moment && moment < to) : isOnAt(times, moment);
}

/** How often something happens on a day within windows; null where those are too many to list. */
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
