import { z } from "@hono/zod-openapi";
import { daySpan } from "../kit/day-span.ts";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";
import { circleParams } from "./circles.ts";
import { recurrenceFields } from "./recurrences.ts";
import { local, schedulesTag as tag } from "./schedule-previews.ts";

const scheduleFields = {
  name: orNone(displayName(z.string().trim().max(300))).describe(
    "Distinguishes it from other schedules of its circle.",
  ),
  ...recurrenceFields,
  enabled: z.boolean().default(true).describe("A paused schedule starts nothing, and does not catch up later."),
  overlap: z
    .enum(["skip", "queue"])
    .default("skip")
    .describe(
      "If the circle is still running: `skip` records a skipped time, `queue` lets one wait until that run has ended.",
    ),
  catchUp: z
    .enum(["latest", "none"])
    .default("latest")
    .describe("After a downtime: `latest` starts the last missed time, recorded as late."),
};

export const scheduleInput = z.object(scheduleFields).openapi("ScheduleInput", {
  example: { cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" },
});
export type ScheduleInput = z.infer<typeof scheduleInput>;

const nextMoment = z.object({ at: moment, local });

export const schedule = z
  .object({
    id: identifier,
    testCircleId: z.uuid(),
    testCircleName: z.string(),
    apiIds: z.array(z.uuid()).describe("APIs of its circle's members."),
    ...scheduleFields,
    spreadSeconds: z.number().int().describe("Delay of its starts after their due times."),
    heldBack: z
      .string()
      .nullable()
      .describe("Why its times are skipped under the organization's plan; null if they are not."),
    next: nextMoment.nullable().describe("Null while it is paused."),
    version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Schedule");
export type Schedule = z.infer<typeof schedule>;

const scheduleParams = z.object({ scheduleId: z.uuid() });
const stale = "Another user saved since the version in `If-Match`.";
const tooOften = "The plan starts nothing as often.";

export const ofCircles = {
  testCircleId: z.uuid().optional().describe("Only those of this circle"),
  apiId: z.uuid().optional().describe("Only those of circles with a member of this API"),
};

export const listSchedules = endpoint({
  method: "get",
  path: "/api/v1/schedules",
  access: "tests:read",
  tag,
  summary: "Schedules of all circles, the next to run first",
  description: "Paused ones are last. `query` searches their names and those of their circles.",
  query: listQuery.extend({
    ...ofCircles,
    enabled: z.enum(["true", "false"]).optional().describe("Only paused or only active ones"),
  }),
  status: 200,
  response: pageSchema(schedule),
});

export const listSchedulesOfCircle = endpoint({
  method: "get",
  path: "/api/v1/test-circles/{testCircleId}/schedules",
  access: "tests:read",
  tag,
  summary: "Schedules of a circle, the next to run first",
  description: "Paused ones are last.",
  params: circleParams,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(schedule),
});

export const createSchedule = endpoint({
  method: "post",
  path: "/api/v1/test-circles/{testCircleId}/schedules",
  access: "tests:write",
  audit: "schedule",
  tag,
  summary: "Creates a schedule of a circle",
  description: "Starts at its next due time.",
  params: circleParams,
  body: scheduleInput,
  status: 201,
  response: schedule,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/schedules/{id}",
  headers: [idempotencyKey],
  problems: {
    plan_limit_reached: tooOften,
    conflict: "The `Idempotency-Key` was used for another schedule, or for one that was deleted.",
  },
});

export const getSchedule = endpoint({
  method: "get",
  path: "/api/v1/schedules/{scheduleId}",
  access: "tests:read",
  tag,
  summary: "One schedule",
  description: "Its ETag is for `If-Match`.",
  params: scheduleParams,
  status: 200,
  response: schedule,
  responseHeaders: [entityTag],
});

export const changeSchedule = endpoint({
  method: "put",
  path: "/api/v1/schedules/{scheduleId}",
  access: "tests:write",
  audit: "schedule",
  tag,
  summary: "Changes, pauses or resumes a schedule",
  description:
    "Replaces the whole schedule and increments its version. After the response, nothing starts by the earlier version; running runs continue.",
  params: scheduleParams,
  body: scheduleInput,
  status: 200,
  response: schedule,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: { plan_limit_reached: tooOften, stale_version: stale },
});

export const deleteSchedule = endpoint({
  method: "delete",
  path: "/api/v1/schedules/{scheduleId}",
  access: "tests:write",
  audit: "schedule",
  tag,
  summary: "Deletes a schedule",
  description: "After the response, it starts nothing more. Its runs are not deleted.",
  params: scheduleParams,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});

export const summarizeSchedules = endpoint({
  method: "get",
  path: "/api/v1/schedule-summaries",
  access: "tests:read",
  tag,
  summary: "Number of schedules per circle, and the next due time",
  description: "Circles without a schedule are omitted.",
  query: z.object({ testCircleIds: identifierList }),
  status: 200,
  response: z.object({
    items: z.array(
      z.object({
        testCircleId: z.uuid(),
        schedules: z.number().int(),
        paused: z.number().int(),
        next: nextMoment.extend({ scheduleId: z.uuid(), timeZone }).nullable(),
      }),
    ),
  }),
});

export const apiScheduleSummary = z.object({
  apiId: z.uuid(),
  schedules: z.number().int(),
  next: nextMoment
    .extend({ scheduleId: z.uuid(), testCircleId: z.uuid(), timeZone })
    .nullable()
    .describe("Null while the plan holds all of them back."),
});
export type ApiScheduleSummary = z.infer<typeof apiScheduleSummary>;

export const summarizeSchedulesOfApis = endpoint({
  method: "get",
  path: "/api/v1/api-schedule-summaries",
  access: "tests:read",
  tag,
  summary: "Number of active schedules per API, and the next due time",
  description: "Schedules of circles with a member of the API. APIs without an active one are omitted.",
  query: z.object({ apiIds: identifierList }),
  status: 200,
  response: z.object({ items: z.array(apiScheduleSummary) }),
});

export const countScheduleIntervals = endpoint({
  method: "get",
  path: "/api/v1/schedule-intervals",
  access: "tests:read",
  tag,
  summary: "Number of schedules by interval",
  description: "By the shortest interval between two of their times, shortest first; paused ones are omitted.",
  status: 200,
  response: z.object({
    items: z.array(z.object({ seconds: z.number().int().openapi({ example: 300 }), schedules: z.number().int() })),
  }),
});

export const listScheduledTimes = endpoint({
  method: "get",
  path: "/api/v1/scheduled-times",
  access: "tests:read",
  tag,
  summary: "Due times of schedules in a time range",
  description: "By schedule and day; omits paused ones and past times: see the occurrences for their outcomes.",
  query: listQuery.omit({ query: true }).extend({
    ...ofCircles,
    scheduleIds: identifierList.optional(),
    ...daySpan,
  }),
  status: 200,
  response: pageSchema(
    z.object({
      schedule,
      days: z.array(
        z.object({
          day: z.string().openapi({ example: "2026-04-23" }),
          times: z.number().int().describe("Number of due times, including those to be skipped for maintenance."),
          skipped: z
            .number()
            .int()
            .nullable()
            .describe("Number to be skipped for maintenance; null if there are too many windows to count."),
          first: nextMoment,
          last: nextMoment,
          items: z
            .array(
              nextMoment.extend({
                maintenanceWindow: z.string().optional().describe("Name of the window it will be skipped for."),
              }),
            )
            .nullable()
            .describe("Every due time; null if there are more than twelve."),
        }),
      ),
    }),
  ),
});
