import type { Kysely } from "kysely";
import type { Clock } from "../../kit/clock/clock.ts";
import { type Family, gauge } from "../../kit/metrics/metrics.ts";
import { readQueueFigures } from "../store/queue-figures.ts";
import type { ExecutionTables } from "../store/tables.ts";
import type { WriteResult } from "./result-writer.ts";
import type { RunTelemetry } from "./run-telemetry.ts";

/** Counts verdicts of this process, and reports the work waiting for all processes. */
export function createExecutionMetrics({
  db,
  clock,
  telemetry,
}: {
  db: Kysely<ExecutionTables>;
  clock: Clock;
  telemetry?: RunTelemetry | undefined;
}) {
  const counts = new Map<string, number>();
  return {
    counting(write: WriteResult): WriteResult {
      return async (request) => {
        const written = await write(request);
        const { verdict } = request.result;
        if (written.isWritten) {
          counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
          telemetry?.executionEnded(request.result);
        }
        return written;
      };
    },
    async families(): Promise<Family[]> {
      const { waiting, running, oldestSeconds } = await readQueueFigures(db, clock.now());
      return [
        {
          name: "executions",
          type: "counter",
          help: "Executions that this process ended, by verdict.",
          samples: [...counts].map(([verdict, value]) => ({ suffix: "_total", labels: { verdict }, value })),
        },
        gauge("execution_queue_waiting", "Executions that wait for a worker, of all processes.", waiting),
        gauge("execution_queue_running", "Executions that a worker has taken, of all processes.", running),
        gauge("execution_queue_oldest_seconds", "How long the oldest waiting execution has waited.", oldestSeconds),
      ];
    },
  };
}
