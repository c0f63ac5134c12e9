import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { SeenEdge } from "#libraries/suite/seen/find-seen.ts";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import { findSeenIn, type RecordedExecution } from "./recorded-exchanges.ts";
import type { SeenAnswer } from "./seen-values.worker.ts";

export interface SeenValues {
  /**
   * One call at a time. Reads large bodies in a thread: 8 MiB take about a second.
   * @throws Error if the thread ends, or stored attempts can't be read
   */
  find(executions: RecordedExecution[]): Promise<SeenEdge[]>;
  /** Ends the thread, and with it everything that was read; the next large call starts another one. */
  rest(): Promise<void>;
}

/** Takes a few milliseconds at most. */
const fewCharacters = 65_536;

export function createSeenValues(): SeenValues {
  let worker: Worker | undefined;

  return {
    async find(executions) {
      const characters = executions.reduce((sum, { attempts }) => sum + attempts.length, 0);
      if (characters <= fewCharacters) return findSeenIn(executions);
      worker ??= startWorker(new URL("./seen-values.worker.ts", import.meta.url));
      worker.unref();
      worker.postMessage(executions);
      const ended = once(worker, "exit").then((): [SeenAnswer] => [{ error: "The thread has ended." }]);
      const [answer] = (await Promise.race([once(worker, "message"), ended])) as [SeenAnswer];
      if ("error" in answer) throw new Error(`Recorded responses could not be read. ${answer.error}`);
      return answer.edges;
    },
    async rest() {
      await worker?.terminate();
      worker = undefined;
    },
  };
}
