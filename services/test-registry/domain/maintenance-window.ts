import type { FieldError } from "#contracts/kit/problem.ts";
import type { MaintenanceWindowInput } from "#contracts/test-registry/maintenance-windows.ts";
import { isTimeZone, unknownTimeZoneMessage } from "#libraries/time-zone/wall-clock.ts";
import { parseCron } from "./recurrence/cron-expression.ts";
import { nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

type Times = MaintenanceWindowInput["times"];

export interface Span {
  from: number;
  /** Exclusive. */
  to: number;
}

const minute = 60_000;

function toRecurrence({ cron, timeZone }: Extract<Times, { kind: "repeating" }>): Recurrence {
  return { cron, timeZone, spreadSeconds: 0 };
}

/** Its occurrences, from the one active at a given time. */
function* spansFrom(times: Times, moment: number): Generator<Span, undefined> {
  if (times.kind === "once") {
    const span = { from: Date.parse(times.from), to: Date.parse(times.to) };
    if (moment < span.to) yield span;
    return;
  }
  const duration = times.durationMinutes * minute;
  const recurrence = toRecurrence(times);
  for (let from = nextAfter(recurrence, moment - duration); from !== undefined; from = nextAfter(recurrence, from)) {
    yield { from, to: from + duration };
  }
}

/** The occurrence active at a given time, or else the next one; undefined when it is over. */
export function spanAt(times: Times, moment: number): Span | undefined {
  return spansFrom(times, moment).next().value;
}

/** The same and those after it, up to a limit. */
export function listSpans(times: Times, moment: number, atMost: number): Span[] {
  const spans: Span[] = [];
  for (const span of spansFrom(times, moment)) if (spans.push(span) === atMost) break;
  return spans;
}

/** Its occurrences that overlap a time range, uncut; undefined when there are more than the limit. */
export function listSpansBetween(
  times: Times,
  { from, to, atMost }: { from: number; to: number; atMost: number },
): Span[] | undefined {
  const spans: Span[] = [];
  for (const span of spansFrom(times, from)) {
    if (span.from >= to) break;
    if (spans.push(span) > atMost) return undefined;
  }
  return spans;
}

/** In order; overlapping or adjacent ones are merged. */
export function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const before = merged.at(-1);
    if (before && span.from <= before.to) before.to = Math.max(before.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

export function isOnAt(times: Times, moment: number): boolean {
  const span = spanAt(times, moment);
  return span !== undefined && span.from <= moment;
}

/** Errors of a window, by field. */
export function findWindowErrors({ apiId, testCircleId, times }: MaintenanceWindowInput): FieldError[] {
  const errors = findTimesErrors(times);
  if (apiId && testCircleId) errors.unshift({ path: "testCircleId", message: "Choose an API or a circle" });
  return errors;
}

/** Errors of its times, by field. */
export function findTimesErrors(times: Times): FieldError[] {
  const errors: FieldError[] = [];
  if (times.kind === "once") {
    if (Date.parse(times.from) >= Date.parse(times.to)) {
      errors.push({ path: "times.to", message: "It has to end after it has begun" });
    }
    return errors;
  }
  try {
    parseCron(times.cron);
  } catch (error) {
    errors.push({ path: "times.cron", message: (error as Error).message });
  }
  if (!isTimeZone(times.timeZone)) {
    errors.push({ path: "times.timeZone", message: unknownTimeZoneMessage });
  }
  return errors;
}

/** A window with its scope: an API, a circle, or with neither the whole organization. */
export interface MaintenanceWindowScope {
  name: string;
  apiId?: string;
  testCircleId?: string;
  times: Times;
}

interface Circle {
  testCircleId: string;
  apiIds: string[];
}

/** Whether it applies to a circle, at any time. */
export function concerns({ apiId, testCircleId }: MaintenanceWindowScope, circle: Circle): boolean {
  if (apiId !== undefined && !circle.apiIds.includes(apiId)) return false;
  return testCircleId === undefined || testCircleId === circle.testCircleId;
}

/** The first window active for a circle at a given time. */
export function findWindow<Window extends MaintenanceWindowScope>(
  windows: Window[],
  circle: Circle,
  moment: number,
): Window | undefined {
  return windows.find((window) => concerns(window, circle) && isOnAt(window.times, moment));
}

/** The reason displayed for a skipped time. */
export function explainWindow({ name }: Pick<MaintenanceWindowScope, "name">): string {
  return `In the maintenance window “${name}”.`;
}
