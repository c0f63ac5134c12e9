import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Write a time, as in 08:00")
  .openapi({ example: "08:00" });

export const weekday = z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);

/** By the clock on the wall in the zone. */
export const activeHours = z
  .object({
    from: timeOfDay,
    to: timeOfDay
      .or(z.literal("24:00"))
      .openapi({ example: "18:00" })
      .describe("Not in them any more. Before `from`, it is of the next day."),
    days: z.array(weekday).min(1, "Choose at least one day").max(7).default(weekday.options),
  })
  .openapi("ActiveHours");

/**
 * When something happens again and again: either `cron` or `everySeconds`.
 *
 * Clock changes: a time that comes twice counts the first time, one that does not exist counts at the first instant after
 * the gap. Expressions that run in every hour go on through both, as intervals do: those are of the time that passes,
 * counted from 1970 in UTC, so that every 900 seconds is at :00, :15, :30 and :45.
 */
export const recurrenceFields = {
  cron: orNone(z.string().trim().max(200))
    .describe("Five fields (minute, hour, day of month, month, day of week) or a nickname, as `@daily`.")
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
    "Only its times within these hours count; a spread may start it after them.",
  ),
  spread: z
    .boolean()
    .default(false)
    .describe(
      "Always starts somewhat later, so that not everything starts at :00: within its shortest step, an hour at most.",
    ),
};

export const recurrenceInput = z.object(recurrenceFields);
export type RecurrenceInput = z.infer<typeof recurrenceInput>;
