import { z } from "zod";
import { findFirstInstant, writeLocal } from "#libraries/time-zone/wall-clock.ts";

/** As a browser writes what is entered into `datetime-local`. */
export const localMoment = z
  .string("Enter a date and a time")
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, "Enter a date and a time");

/** When the clocks of the zone show it first; right after, where they skip it. */
export function momentOf(local: string, timeZone: string): string {
  return new Date(findFirstInstant(timeZone, Date.parse(`${local}Z`))).toISOString();
}

/** A moment as `datetime-local` takes it, to the minute. */
export function localOf(moment: string, timeZone: string): string {
  return writeLocal(timeZone, Date.parse(moment)).slice(0, "2026-10-25T02:30".length);
}
