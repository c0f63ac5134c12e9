import { z } from "@hono/zod-openapi";
import { endpoint, moment, onlyAsks, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { recurrenceInput } from "./recurrences.ts";

export const schedulesTag: Tag = { name: "Schedules", description: "When test circles run by themselves." };

export const local = z
  .string()
  .describe("The same by the zone's clocks (RFC 3339).")
  .openapi({ example: "2026-10-25T02:30:00+02:00" });
const note = z.string().openapi({ example: "25 October 2026: 02:30 comes twice, the first is taken." });

export const previewSchedule = endpoint({
  method: "post",
  path: "/api/v1/schedules/preview",
  access: "tests:read",
  audit: onlyAsks,
  tag: schedulesTag,
  summary: "When a schedule would run",
  description:
    "The next ten times, what clock changes do to it within a year, and what it will use. Nothing is stored.",
  body: recurrenceInput.extend({
    from: orNone(moment).describe("Looks for times later than this; now, where it is left out."),
    testCircleId: orNone(z.uuid()).describe("The circle that would run, for how many executions that makes."),
    scheduleId: orNone(z.uuid()).describe("The schedule that is to be changed: it says how it is spread."),
  }),
  status: 200,
  problems: { not_found: "There is no such circle." },
  answer: z
    .object({
      items: z.array(
        z.object({ at: moment, local, note: note.optional().describe("What a clock change does to this one.") }),
      ),
      clockChanges: z
        .array(z.object({ at: moment.describe("When clocks are set."), local, note }))
        .describe("Those of the year to come that concern it."),
      spreadWithinSeconds: z
        .number()
        .int()
        .describe("How much later than `at` it may start at most, where that is not known before it is saved; else 0."),
      shortestStepSeconds: z.number().int().describe("The least between two of its times: what a plan limits."),
      runsPerMonth: z.number().int().describe("In the next 30 days."),
      executionsPerMonth: z
        .number()
        .int()
        .describe("The same with as many executions a run as the circle has now; without a circle, one."),
      heldBack: z
        .string()
        .nullable()
        .describe("Why the organization's plan would not let it run; null where it would, as far as that is known."),
    })
    .openapi("SchedulePreview"),
});
