import type { RunTelemetry } from "../../services/test-executioner/jobs/run-telemetry.ts";

export interface Telemetry extends RunTelemetry {
  /** Sends what is left. */
  close(): Promise<void>;
}
