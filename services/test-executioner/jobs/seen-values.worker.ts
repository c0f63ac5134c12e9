import { parentPort } from "node:worker_threads";
import type { SeenEdge } from "#libraries/suite/seen/find-seen.ts";
import { findSeenIn, type RecordedExecution } from "./recorded-exchanges.ts";

export type SeenAnswer = { edges: SeenEdge[] } | { error: string };

const port = parentPort!;
port.on("message", (executions: RecordedExecution[]) => {
  try {
    port.postMessage({ edges: findSeenIn(executions) } satisfies SeenAnswer);
  } catch (error) {
    port.postMessage({ error: String(error) } satisfies SeenAnswer);
  }
});
