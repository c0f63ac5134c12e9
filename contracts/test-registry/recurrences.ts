import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time, e.g. 08:00")
  .openapi({ example: "08:00" });

export const weekday = z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);

/** Local time in the zone. */
export const activeHours = z
  .object({
    from: timeOfDay,
    to: timeOfDay
      .or(z.literal("24:00"))
      .openapi({ example: "18:00" })
      .describe("Exclusive end. Earlier than `from`, it is on the next day."),
    days: z.array(weekday).min(1, "Choose at least one day").max(7).default(weekday.options),
  })
  .openapi("ActiveHours");

/**
 * A recurrence: either `cron` or `everySeconds`.
 *
 * Daylight saving changes: an ambiguous time counts at its first instant, a missing one at the first instant after the gap.
 * Expressions that run in every hour are unaffected, as are intervals: those count elapsed time from 1970 in UTC, so
 * every 900 seconds means :00, :15, :30 and :45.
 */
export const recurrenceFields = {
  cron: orNone(z.string().trim().max(200))
    .describe("Five fields (minute, hour, day of month, month, day of week) or a nickname such as `@daily`.")
    .openapi({ example: "0 7 * * 1-5" }),
  everySeconds: orNone(
    z
      .number()
      .int()
      .min(30, "At least 30 seconds")
      .max(31 * 86_400, "At most 31 days"),
  )
    .describe("Instead of `cron`.")
    .openapi({ example: 900 }),
  timeZone,
  activeHours: orNone(activeHours).describe(
    "Only due times within these hours count; with a spread, a start may be after them.",
  ),
  spread: z
    .boolean()
    .default(false)
    .describe(
      "Always starts somewhat later, so that not everything starts at :00: within its shortest step, at most an hour.",
    ),
};

export const recurrenceInput = z.object(recurrenceFields);
export type RecurrenceInput = z.infer<typeof recurrenceInput>;
