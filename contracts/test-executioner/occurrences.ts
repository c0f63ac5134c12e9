import { z } from "@hono/zod-openapi";
import { daySpan } from "../kit/day-span.ts";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { openedCircle } from "../test-registry/circles.ts";
import { executionState, verdict } from "./verdicts.ts";

const tag: Tag = { name: "Occurrences", description: "Due times of schedules and their outcomes." };

export const occurrenceState = z.enum(["started", "waiting", "skipped", "missed", "failed"]);
export type OccurrenceState = z.infer<typeof occurrenceState>;

export const occurrence = z
  .object({
    scheduleId: z.uuid(),
    testCircleId: z.uuid(),
    scheduledFor: moment,
    state: occurrenceState.describe(
      "`started`: see its run. `waiting`: for the previous run to end. `skipped`: see `reason`. `missed`: no scheduler was running. `failed`: it could not be started.",
    ),
    isLate: z.boolean().describe("Started late, because its time had been missed."),
    reason: z.string().nullable().describe("Why nothing was started."),
    times: z.number().int().describe("1; more if it represents all preceding missed times."),
    run: z
      .object({ id: z.uuid(), state: executionState, verdict: verdict.nullable() })
      .nullable()
      .describe("Null if nothing was started, or the run has since been deleted."),
    recordedAt: moment,
  })
  .openapi("Occurrence");
export type Occurrence = z.infer<typeof occurrence>;

export const listOccurrences = endpoint({
  method: "get",
  path: "/api/v1/occurrences",
  access: "tests:read",
  tag,
  summary: "Due times of schedules and their outcomes, latest first",
  description: "For the organization; filters narrow them down.",
  query: listQuery.omit({ query: true }).extend({
    scheduleId: z.uuid().optional().describe("Only those of this schedule"),
    testCircleId: z.uuid().optional().describe("Only those of this circle's schedules"),
    state: occurrenceState.optional().describe("Only those with this outcome"),
    from: moment.optional().describe("Only those scheduled for this time or later"),
    to: moment.optional().describe("Only those scheduled before this time"),
  }),
  status: 200,
  response: pageSchema(occurrence),
});

export const occurrenceCounts = z.object({
  started: z.number().int(),
  waiting: z.number().int(),
  skipped: z.number().int(),
  missed: z.number().int(),
  failed: z.number().int(),
});
export type OccurrenceCounts = z.infer<typeof occurrenceCounts>;

export const occurrenceRun = z.object({
  ...{ id: z.uuid(), scheduledFor: moment, state: executionState, verdict: verdict.nullable() },
});
export type OccurrenceRun = z.infer<typeof occurrenceRun>;

export const countOccurrences = endpoint({
  method: "get",
  path: "/api/v1/occurrence-counts",
  access: "tests:read",
  tag,
  summary: "Number of due times per outcome and day",
  description: "Days without any are omitted.",
  query: z.object({
    scheduleIds: identifierList,
    ...daySpan,
    runs: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe("Includes at most this many of each day's runs: failed ones first, then the latest."),
  }),
  status: 200,
  response: z.object({
    items: z.array(
      occurrenceCounts.extend({
        scheduleId: z.uuid(),
        day: z.string().openapi({ example: "2026-04-23" }),
        runs: z.array(occurrenceRun).describe("In order of time; see `runs` of the query."),
      }),
    ),
  }),
});

/** A due schedule as found by a scheduler. */
export const dueOccurrences = z.object({
  organizationId: z.uuid(),
  scheduleId: z.uuid(),
  scheduleName: orNone(z.string()),
  version: z.number().int(),
  testCircleId: z.uuid(),
  overlap: z.enum(["skip", "queue"]),
  /** The due time to start now, or to record as skipped. */
  start: orNone(
    z.object({
      scheduledFor: moment,
      isLate: z.boolean(),
      skipReason: orNone(z.string()),
      /** The circle as it is now. Without it (a large one, or a scheduler of an older version) the executioner requests it. */
      circle: orNone(openedCircle),
    }),
  ),
  missed: z.array(moment),
  /** Number missed before those, from this time on. */
  missedBefore: orNone(z.object({ since: moment, times: z.number().int() })),
});
export type DueOccurrences = z.infer<typeof dueOccurrences>;

export const recordOccurrences = endpoint({
  method: "post",
  path: "/internal/v1/occurrences",
  access: "internal",
  audit: { nothingBecause: "It creates records of due times" },
  timeoutSeconds: 25,
  maxBodyBytes: 16 * 1_048_576,
  summary: "Starts due schedules, each with its record in one transaction; idempotent",
  body: z.object({ items: z.array(dueOccurrences).max(500) }),
  status: 200,
  response: z.object({
    items: z.array(
      z.object({
        scheduleId: z.uuid(),
        /** `void`: a change of the schedule came first. `later`: a dependency is unavailable. */
        outcome: z.enum(["recorded", "void", "later"]),
      }),
    ),
  }),
});
