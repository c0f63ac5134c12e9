import type { Logger } from "pino";
import { databaseProblem } from "../database/database-problem.ts";

export interface PeriodicJob {
  everyMilliseconds: number;
  /** Also at the start, for what a process that is often started anew would never come to. */
  atOnce?: boolean;
  /** Told when it should end early; what it has begun it may finish. */
  work: (stopping: AbortSignal) => Promise<unknown>;
  /** Logged with the error; the next turn tries again. */
  failure: string;
  log: Logger;
}

/**
 * Repeats a job without keeping the process alive; a turn that comes while the one before still works is left out.
 * @returns ends it, after what is running
 */
export function startPeriodicJob({ everyMilliseconds, atOnce, work, failure, log }: PeriodicJob): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const takeTurn = () => {
    running ??= work(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => {
        // The database tells of its own absence.
        if (!databaseProblem(error)) log.error({ err: error }, failure);
      })
      .finally(() => {
        running = undefined;
      });
  };
  if (atOnce) takeTurn();
  const timer = setInterval(takeTurn, everyMilliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
