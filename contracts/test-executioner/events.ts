import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";
import { event } from "../kit/event.ts";
import { runTrigger, verdict } from "./verdicts.ts";

/** Executions that count against a plan, those of one organization and day that ended together. */
export const executionsCounted = event(
  "executions.counted",
  z.object({
    /** As in `2026-04`, in UTC. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
    /** As in `2026-04-30`, in UTC; not told by an older version, whose events may still be on their way. */
    day: z.iso.date().optional(),
    executions: z.number().int().min(1),
  }),
);

/** What was left of the plan's executions did not suffice for a scheduled run. Told each time. */
export const runsSkipped = event(
  "runs.skipped",
  z.object({
    /** As in `2026-04`, in UTC. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
  }),
);

/** A run's last execution has ended, or what was left of it was cancelled or deleted. Told once a run. */
export const runFinished = event(
  "run.finished",
  z.object({
    runId: z.uuid(),
    /** APIs whose tests it ran. */
    apiIds: z.array(z.uuid()),
    /** The circle it was a run of. */
    testCircleId: z.uuid().nullable().default(null),
    trigger: runTrigger,
    state: z.enum(["finished", "cancelled"]),
    /** The worst of its executions; null where none had a verdict. */
    verdict: verdict.nullable(),
    finishedAt: z.string(),
  }),
);

/** A target proved itself by this certificate. Told when it is met first, and again each day that it is met. */
export const certificateSeen = event(
  "certificate.seen",
  z.object({
    /** With its port where that is not 443. */
    host: z.string(),
    /** Whose test it answered. */
    apiId: z.uuid(),
    subject: z.string(),
    issuer: z.string(),
    validTo: moment,
  }),
);

export type ExecutionEvent =
  | z.infer<typeof executionsCounted>
  | z.infer<typeof runsSkipped>
  | z.infer<typeof runFinished>
  | z.infer<typeof certificateSeen>;
