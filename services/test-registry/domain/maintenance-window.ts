import type { FieldError } from "../../kit/problem/problem.ts";
import { isTimeZone } from "../../kit/time-zone/wall-clock.ts";
import type { MaintenanceWindowInput } from "../contract/maintenance-windows.ts";
import { parseCron } from "./recurrence/cron-expression.ts";
import { nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

type Times = MaintenanceWindowInput["times"];

export interface Span {
  from: number;
  /** Not in it any more. */
  to: number;
}

const minute = 60_000;

function recurrenceOf({ cron, timeZone }: Extract<Times, { kind: "repeating" }>): Recurrence {
  return { cron, timeZone, spreadSeconds: 0 };
}

/** The window that is on at a moment, or else the next one; undefined when it is over. */
export function spanAt(times: Times, moment: number): Span | undefined {
  if (times.kind === "once") {
    const span = { from: Date.parse(times.from), to: Date.parse(times.to) };
    return moment < span.to ? span : undefined;
  }
  const duration = times.durationMinutes * minute;
  const from = nextAfter(recurrenceOf(times), moment - duration);
  return from === undefined ? undefined : { from, to: from + duration };
}

export function isOnAt(times: Times, moment: number): boolean {
  const span = spanAt(times, moment);
  return span !== undefined && span.from <= moment;
}

/** What is wrong with it, beside the field it is wrong in. */
export function findWindowFaults({ apiId, testCircleId, times }: MaintenanceWindowInput): FieldError[] {
  const faults: FieldError[] = [];
  if (apiId && testCircleId) faults.push({ path: "testCircleId", message: "Choose an API or a circle" });
  if (times.kind === "once") {
    if (Date.parse(times.from) >= Date.parse(times.to)) {
      faults.push({ path: "times.to", message: "It has to end after it has begun" });
    }
    return faults;
  }
  try {
    parseCron(times.cron);
  } catch (error) {
    faults.push({ path: "times.cron", message: (error as Error).message });
  }
  if (!isTimeZone(times.timeZone)) {
    faults.push({ path: "times.timeZone", message: "There is no such time zone; choose one as Europe/Berlin" });
  }
  return faults;
}

/** A window, and what it is of: an API, a circle, or with neither the whole organization. */
export interface MaintenanceWindowScope {
  name: string;
  apiId?: string;
  testCircleId?: string;
  times: Times;
}

/** The first window in which a circle is left alone at a moment. */
export function findWindow<Window extends MaintenanceWindowScope>(
  windows: Window[],
  circle: { testCircleId: string; apiIds: string[] },
  moment: number,
): Window | undefined {
  return windows.find(({ apiId, testCircleId, times }) => {
    if (apiId !== undefined && !circle.apiIds.includes(apiId)) return false;
    if (testCircleId !== undefined && testCircleId !== circle.testCircleId) return false;
    return isOnAt(times, moment);
  });
}
