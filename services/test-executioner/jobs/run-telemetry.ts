import type { FinishedRun } from "../store/finished-runs.ts";
import type { ExecutionResult } from "../store/results.ts";

/** Receives what this process ended. Called while results are written, so it must neither wait nor throw. */
export interface RunTelemetry {
  executionEnded(result: ExecutionResult): void;
  runsEnded(runs: readonly FinishedRun[]): void;
}
