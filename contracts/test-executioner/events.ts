import { z } from "@hono/zod-openapi";
import { consumer, operationKey } from "../api-registry/resources.ts";
import { moment } from "../kit/endpoint.ts";
import { event } from "../kit/event.ts";
import { runTrigger, verdict } from "./verdicts.ts";

/** Executions that count against a plan: those of one organization and day that ended together. */
export const executionsCounted = event(
  "executions.counted",
  z.object({
    /** E.g. `2026-04`, in UTC. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
    /** E.g. `2026-04-30`, in UTC; missing from events of an older version that may still be queued. */
    day: z.iso.date().optional(),
    executions: z.number().int().min(1),
  }),
);

/** The plan's remaining executions did not suffice for a scheduled run. Published every time. */
export const runsSkipped = event(
  "runs.skipped",
  z.object({
    /** E.g. `2026-04`, in UTC. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
  }),
);

/** A run's last execution ended, or the rest was cancelled or deleted. Published once per run. */
export const runFinished = event(
  "run.finished",
  z.object({
    runId: z.uuid(),
    /** APIs of its tests. */
    apiIds: z.array(z.uuid()),
    /** The circle, for a circle's run. */
    testCircleId: z.uuid().nullable().default(null),
    trigger: runTrigger,
    state: z.enum(["finished", "cancelled"]),
    /** The worst of its executions; null if none had a verdict. */
    verdict: verdict.nullable(),
    finishedAt: z.string(),
  }),
);

/** A target presented this certificate. Published when it is first seen, and once a day after that. */
export const certificateSeen = event(
  "certificate.seen",
  z.object({
    /** With its port unless that is 443. */
    host: z.string(),
    /** API of the test that received it. */
    apiId: z.uuid(),
    subject: z.string(),
    issuer: z.string(),
    validTo: moment,
  }),
);

/** Whether agents of a location call: all of it, when it changes. */
export const locationWatched = event(
  "location.watched",
  z.object({
    locationId: z.uuid(),
    locationName: z.string(),
    /** Null while an agent calls. */
    silent: z
      .object({
        /** The last call; before the first one, when the location was created. */
        since: moment,
        hasCalled: z.boolean(),
        /** APIs and circles of what is, or waits to be, sent from there; at most 50 of each. */
        apiIds: z.array(z.uuid()).min(1).max(50),
        testCircleIds: z.array(z.uuid()).max(50),
      })
      .nullable(),
    /** Why it is not silent any more, in a sentence. */
    ending: z.string(),
  }),
);

const seenDependency = z.object({
  from: z.object({
    operation: operationKey,
    /** JSONPath (RFC 9535) into its responses' bodies. */
    path: z.string(),
  }),
  to: consumer.pick({ operation: true, in: true, name: true }),
  /** Requests since the last event that sent such a value and were accepted. */
  times: z.number().int().min(1),
  /** Different values among the API's latest executions. */
  values: z.number().int().min(1),
  /** Whether one of them was a UUID, or an identifier of at least 16 characters. */
  isDistinctive: z.boolean(),
});
export type SeenDependency = z.infer<typeof seenDependency>;

/** Values of one operation's responses were accepted by another one of the API. Published without any value. */
export const dependenciesSeen = event(
  "dependencies.seen",
  z.object({ apiId: z.uuid(), dependencies: z.array(seenDependency).min(1).max(500) }),
);

export type ExecutionEvent =
  | z.infer<typeof executionsCounted>
  | z.infer<typeof runsSkipped>
  | z.infer<typeof runFinished>
  | z.infer<typeof certificateSeen>
  | z.infer<typeof locationWatched>
  | z.infer<typeof dependenciesSeen>;
