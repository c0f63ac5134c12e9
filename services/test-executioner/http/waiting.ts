import type { EndFeed } from "../jobs/feeds.ts";
import { findRun } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { Changes } from "./changes.ts";

/** Waits until the run has ended, the time is up, the caller has disconnected or the service stops. */
export type WaitForEnd = (organizationId: string, runId: string, seconds: number, signal: AbortSignal) => Promise<void>;

export function createWaitForEnd(db: ExecutionDatabase, endFeed: EndFeed, stopping: AbortSignal): WaitForEnd {
  return async (organizationId, runId, seconds, signal) => {
    if (seconds <= 0) return;
    const timeUp = AbortSignal.timeout(seconds * 1_000);
    const over = AbortSignal.any([signal, stopping, timeUp]);
    const ends = new Changes(endFeed, (ended) => ended.has(runId), over);
    try {
      while (!over.aborted) {
        const run = await findRun(db, organizationId, runId);
        if (!run || run.finished_at) return;
        await ends.next(0);
      }
    } finally {
      ends.end();
    }
  };
}
