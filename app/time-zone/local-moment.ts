import { z } from "zod";
import { instantsOf } from "../../services/kit/time-zone/wall-clock.ts";

/** As a browser writes what is entered into `datetime-local`. */
export const localMoment = z
  .string("Enter a date and a time")
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, "Enter a date and a time");

/** When the clocks of the zone show it first; right after, where they skip it. */
export function momentOf(local: string, timeZone: string): string {
  const { shown, afterGap } = instantsOf(timeZone, Date.parse(`${local}Z`));
  return new Date(shown[0] ?? afterGap!).toISOString();
}
