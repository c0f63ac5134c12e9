import { z } from "@hono/zod-openapi";

/** Of one execution. */
export const executionVerdicts = ["passed", "failed", "errored", "flaky", "skipped", "blocked"] as const;
export const executionVerdict = z.enum(executionVerdicts);
export type ExecutionVerdict = z.infer<typeof executionVerdict>;

/**
 * Of a test and of a run, too. `regional`: it was sent from several places and failed from some, though not from as many as
 * the circle's rule says.
 */
export const verdicts = [...executionVerdicts, "regional"] as const;
export const verdict = z.enum(verdicts);
export type Verdict = z.infer<typeof verdict>;

export const executionStates = ["queued", "running", "finished", "cancelled"] as const;
export const executionState = z.enum(executionStates);
export type ExecutionState = z.infer<typeof executionState>;

/** `cancelling`: cancelled, while active executions and the tear-down finish. */
export const runState = z.enum([...executionStates, "cancelling"]);
export type RunState = z.infer<typeof runState>;

/** What started a run: a person, a schedule, continuous integration, another program, or a repetition. */
export const runTrigger = z.enum(["manual", "schedule", "ci", "api", "rerun"]);
export type RunTrigger = z.infer<typeof runTrigger>;
