import { z } from "@hono/zod-openapi";
import { endpoint, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { recurrenceInput } from "./recurrences.ts";

export const schedulesTag: Tag = { name: "Schedules", description: "When test circles run automatically." };

export const local = z
  .string()
  .describe("The same in the zone's local time (RFC 3339).")
  .openapi({ example: "2026-10-25T02:30:00+02:00" });
const note = z.string().openapi({ example: "25 October 2026: 02:30 occurs twice; the first is used." });

export const previewSchedule = endpoint({
  method: "post",
  path: "/api/v1/schedules/preview",
  access: "tests:read",
  audit: onlyReads,
  tag: schedulesTag,
  summary: "Preview of a schedule",
  description: "The next ten times, effects of clock changes within a year, and its consumption. Stores nothing.",
  body: recurrenceInput
    .extend({
      from: orNone(moment).describe("Only times later than this; defaults to now."),
      testCircleId: orNone(z.uuid()).describe("The circle to run, which determines the number of executions."),
      scheduleId: orNone(z.uuid()).describe("The schedule to be changed, which determines its spread."),
    })
    .openapi({ example: { cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" } }),
  status: 200,
  problems: { not_found: "No such circle." },
  response: z
    .object({
      items: z.array(
        z.object({ at: moment, local, note: note.optional().describe("Effect of a clock change on this time.") }),
      ),
      clockChanges: z
        .array(z.object({ at: moment.describe("Time of the clock change."), local, note }))
        .describe("Daylight saving changes of the coming year that affect it."),
      spreadWithinSeconds: z
        .number()
        .int()
        .describe("Upper bound of the delay after `at`, if it is not known before saving; else 0."),
      shortestStepSeconds: z
        .number()
        .int()
        .describe("Shortest interval between two of its times, which a plan limits."),
      runsPerMonth: z.number().int().describe("In the next 30 days."),
      executionsPerMonth: z
        .number()
        .int()
        .describe("The same with the circle's current number of executions per run; without a circle, one."),
      heldBack: z
        .string()
        .nullable()
        .describe("Why the organization's plan would prevent it; null if it would not, as far as known."),
    })
    .openapi("SchedulePreview"),
});
