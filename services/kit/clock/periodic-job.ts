import type { Logger } from "pino";
import { databaseProblem } from "../database/database-problem.ts";

export interface PeriodicJob {
  intervalMilliseconds: number;
  /** Runs at the start, too, for work that would never become due in a frequently restarted process. */
  immediately?: boolean;
  /** Its signal aborts when it should end early; the current step may finish. */
  work: (stopping: AbortSignal) => Promise<unknown>;
  /** Logged with the error; the next turn tries again. */
  failure: string;
  log: Logger;
}

/**
 * Repeats a job without keeping the process alive; a turn is skipped while the previous one is running.
 * @returns a function that stops it after the current turn
 */
export function startPeriodicJob({
  intervalMilliseconds,
  immediately,
  work,
  failure,
  log,
}: PeriodicJob): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const takeTurn = () => {
    running ??= work(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => {
        // The database reports its own absence.
        if (!databaseProblem(error)) log.error({ err: error }, failure);
      })
      .finally(() => {
        running = undefined;
      });
  };
  if (immediately) takeTurn();
  const timer = setInterval(takeTurn, intervalMilliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
