import type { FieldError } from "#contracts/kit/problem.ts";
import type { RecurrenceInput } from "#contracts/test-registry/recurrences.ts";
import { isTimeZone, unknownTimeZoneMessage } from "#libraries/time-zone/wall-clock.ts";
import { parseCron } from "./cron-expression.ts";
import { nextAfter, type Recurrence, spreadWidthSeconds } from "./recurrence.ts";

function findRhythmError({ cron, everySeconds }: RecurrenceInput): FieldError | undefined {
  if (!cron && everySeconds === undefined) {
    return { path: "cron", message: "Enter a cron expression, e.g. 0 7 * * 1-5, or choose an interval" };
  }
  if (cron && everySeconds !== undefined) return { path: "cron", message: "Choose a cron expression or an interval" };
  if (!cron) return undefined;
  try {
    parseCron(cron);
    return undefined;
  } catch (error) {
    return { path: "cron", message: (error as Error).message };
  }
}

/** A validated recurrence. */
export function toRecurrence(
  { cron, everySeconds, timeZone, activeHours }: RecurrenceInput,
  spreadSeconds = 0,
): Recurrence {
  return { cron: cron || undefined, everySeconds, timeZone, activeHours, spreadSeconds };
}

/**
 * The delay of a spread schedule, derived from its id so that it is stable.
 * @param scheduleId UUIDv7; its end is random
 */
export function getSpreadSeconds(input: RecurrenceInput, scheduleId: string): number {
  if (!input.spread) return 0;
  return Number.parseInt(scheduleId.slice(-8), 16) % spreadWidthSeconds(toRecurrence(input));
}

/** Errors of a recurrence, by field. */
export function findRecurrenceErrors(input: RecurrenceInput, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  const rhythm = findRhythmError(input);
  if (rhythm) errors.push(rhythm);
  if (!isTimeZone(input.timeZone)) {
    errors.push({ path: "timeZone", message: unknownTimeZoneMessage });
  }
  const { activeHours } = input;
  if (activeHours && activeHours.from === activeHours.to) {
    errors.push({ path: "activeHours.to", message: "Choose another end: these hours have no length" });
  }
  if (errors.length > 0 || nextAfter(toRecurrence(input), now.getTime()) !== undefined) return errors;
  return activeHours && nextAfter({ ...toRecurrence(input), activeHours: undefined }, now.getTime()) !== undefined
    ? [{ path: "activeHours", message: "It never runs within these hours" }]
    : [{ path: "cron", message: "No such day within ten years" }];
}
