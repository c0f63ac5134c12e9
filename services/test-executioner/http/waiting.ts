import type { Progress } from "../jobs/progress.ts";
import { listStandings } from "../store/executions.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Waits until the executions have ended, the time is up, the caller has gone or the service stops. */
export type WaitForEnd = (
  organizationId: string,
  executionIds: string[],
  seconds: number,
  signal: AbortSignal,
  options: {
    /** They may have ended before the call: a repetition of an earlier one. */
    areOld: boolean;
  },
) => Promise<void>;

/** Executions run by other processes are found by looking once a second. */
const pollMilliseconds = 1_000;

export function createWaitForEnd(db: ExecutionDatabase, progress: Progress, stopping: AbortSignal): WaitForEnd {
  return async (organizationId, executionIds, seconds, signal, { areOld }) => {
    const until = performance.now() + seconds * 1_000;
    const pending = new Set(executionIds);
    let wake: () => void = () => {};
    const unsubscribe = progress.subscribe((changes) => {
      for (const { executionId, ended } of changes) if (ended) pending.delete(executionId);
      if (pending.size === 0) wake();
    });
    const stop = () => wake();
    signal.addEventListener("abort", stop);
    stopping.addEventListener("abort", stop);
    try {
      let pause = areOld ? 0 : pollMilliseconds;
      while (pending.size > 0 && !signal.aborted && !stopping.aborted) {
        const left = until - performance.now();
        if (left <= 0) break;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, pause));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        pause = pollMilliseconds;
        if (pending.size === 0) break;
        const standings = await listStandings(db, organizationId, [...pending]);
        const unfinished = standings.filter(({ state }) => state === "queued" || state === "running");
        const stillThere = new Set(unfinished.map(({ id }) => id));
        for (const id of pending) if (!stillThere.has(id)) pending.delete(id);
      }
    } finally {
      unsubscribe();
      signal.removeEventListener("abort", stop);
      stopping.removeEventListener("abort", stop);
    }
  };
}
