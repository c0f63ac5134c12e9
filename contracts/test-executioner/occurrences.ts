import { z } from "@hono/zod-openapi";
import { daySpan } from "../kit/day-span.ts";
import { endpoint, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { openedCircle } from "../test-registry/circles.ts";
import { executionState, verdict } from "./verdicts.ts";

const tag: Tag = { name: "Occurrences", description: "What became of each time of a schedule." };

export const occurrenceState = z.enum(["started", "waiting", "skipped", "missed", "failed"]);
export type OccurrenceState = z.infer<typeof occurrenceState>;

export const occurrence = z
  .object({
    scheduleId: z.uuid(),
    testCircleId: z.uuid(),
    scheduledFor: moment,
    state: occurrenceState.describe(
      "`started`: its run tells the rest. `waiting`: for the run before to end. `skipped`: left out, see `reason`. `missed`: nothing of the portal was there to start it. `failed`: it could not be started.",
    ),
    isLate: z.boolean().describe("Started after its time, since that had been missed."),
    reason: z.string().nullable().describe("Why nothing was started."),
    times: z.number().int().describe("1; more where this one stands for all times missed before it."),
    run: z
      .object({ id: z.uuid(), state: executionState, verdict: verdict.nullable() })
      .nullable()
      .describe("Null where nothing was started, and when the run has been deleted since."),
    recordedAt: moment,
  })
  .openapi("Occurrence");
export type Occurrence = z.infer<typeof occurrence>;

export const listOccurrences = endpoint({
  method: "get",
  path: "/api/v1/occurrences",
  access: "tests:read",
  tag,
  summary: "Times of schedules and what became of them, the latest first",
  description: "Of the organization; filters narrow them down.",
  query: listQuery.omit({ query: true }).extend({
    scheduleId: z.uuid().optional().describe("Keeps those of this schedule"),
    testCircleId: z.uuid().optional().describe("Keeps those of this circle's schedules"),
    state: occurrenceState.optional().describe("Keeps those that came to this"),
    from: moment.optional().describe("Keeps those scheduled for this moment or later"),
    to: moment.optional().describe("Keeps those scheduled for before this moment"),
  }),
  status: 200,
  answer: pageOf(occurrence),
});

export const occurrenceCounts = z.object({
  started: z.number().int(),
  waiting: z.number().int(),
  skipped: z.number().int(),
  missed: z.number().int(),
  failed: z.number().int(),
});
export type OccurrenceCounts = z.infer<typeof occurrenceCounts>;

export const countOccurrences = endpoint({
  method: "get",
  path: "/api/v1/occurrence-counts",
  access: "tests:read",
  tag,
  summary: "How many times of schedules came to what, by day",
  description: "Days without any are left out.",
  query: z.object({
    scheduleIds: identifierList,
    ...daySpan,
  }),
  status: 200,
  answer: z.object({
    items: z.array(
      occurrenceCounts.extend({ scheduleId: z.uuid(), day: z.string().openapi({ example: "2026-04-23" }) }),
    ),
  }),
});

/** What a scheduler found of one schedule whose time has come. */
export const dueOccurrences = z.object({
  organizationId: z.uuid(),
  scheduleId: z.uuid(),
  scheduleName: orNone(z.string()),
  version: z.number().int(),
  testCircleId: z.uuid(),
  overlap: z.enum(["skip", "queue"]),
  /** The one that is to start now, or is recorded as skipped. */
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
  /** How many were missed before those, from this moment on. */
  missedBefore: orNone(z.object({ since: moment, times: z.number().int() })),
});
export type DueOccurrences = z.infer<typeof dueOccurrences>;

export const recordOccurrences = endpoint({
  method: "post",
  path: "/internal/v1/occurrences",
  access: "internal",
  audit: { nothingBecause: "what is made is the record of what became of a schedule's time" },
  mayTakeSeconds: 25,
  maximumBodyBytes: 16 * 1_048_576,
  summary: "Starts what schedules bring, each with its record in one transaction; told again, it does nothing again",
  body: z.object({ items: z.array(dueOccurrences).max(500) }),
  status: 200,
  answer: z.object({
    items: z.array(
      z.object({
        scheduleId: z.uuid(),
        /** `void`: a change of the schedule came before. `later`: something it needs is away. */
        outcome: z.enum(["recorded", "void", "later"]),
      }),
    ),
  }),
});
