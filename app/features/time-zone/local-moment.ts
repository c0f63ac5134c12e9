import { readTypedMoment } from "#libraries/time-zone/typed-moment.ts";
import { findFirstInstant, isTimeZone, writeLocal } from "#libraries/time-zone/wall-clock.ts";

/** Validation error of a typed date and time; undefined if valid. An unknown time zone is reported at its own field. */
export function findMomentError(text: string, timeZone: string): string | undefined {
  const typed = readTypedMoment(text, { timeZone: isTimeZone(timeZone) ? timeZone : "UTC", now: Date.now() });
  return "error" in typed ? typed.error : undefined;
}

/**
 * The moment of a typed date and time.
 * @throws Error for one that `findMomentError` refuses
 */
export function readMoment(text: string, timeZone: string): string {
  const typed = readTypedMoment(text, { timeZone, now: Date.now() });
  if ("error" in typed) throw new Error(typed.error);
  return typed.moment;
}

/** The first instant with this local time, such as `2026-10-25T02:30`; right after the gap if it is skipped. */
export function toMoment(local: string, timeZone: string): string {
  return new Date(findFirstInstant(timeZone, Date.parse(`${local}Z`))).toISOString();
}

/** A moment as it is typed, to the minute: `2026-10-25 02:30`. One that occurs twice has its offset. */
export function toTyped(moment: string, timeZone: string): string {
  const local = writeLocal(timeZone, Date.parse(moment));
  const typed = `${local.slice(0, 10)} ${local.slice(11, 16)}`;
  const minute = `${moment.slice(0, 16)}:00.000Z`;
  return readMoment(typed, timeZone) === minute ? typed : `${typed} ${local.slice(19)}`;
}
