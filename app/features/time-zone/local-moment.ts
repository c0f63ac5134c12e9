import { z } from "zod";
import { findFirstInstant, writeLocal } from "#libraries/time-zone/wall-clock.ts";

/** The value of a `datetime-local` input. */
export const localMoment = z
  .string("Enter a date and a time")
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, "Enter a date and a time");

/** The first instant with this local time in the zone; right after the gap if it is skipped. */
export function toMoment(local: string, timeZone: string): string {
  return new Date(findFirstInstant(timeZone, Date.parse(`${local}Z`))).toISOString();
}

/** A moment as the value of a `datetime-local` input, to the minute. */
export function toLocal(moment: string, timeZone: string): string {
  return writeLocal(timeZone, Date.parse(moment)).slice(0, "2026-10-25T02:30".length);
}
