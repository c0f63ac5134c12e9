import type { Insertable } from "kysely";
import type { ExecutionTables, RunRow } from "../store/tables.ts";

type Said = Pick<RunRow, "id" | "organization_id" | "test_circle_id" | "verdict" | "finished_at">;

/** The row of a finished run: a circle's, or of one test. */
export function storedRun(run: Said): Insertable<ExecutionTables["runs"]> {
  return {
    ...run,
    source_kind: run.test_circle_id ? "circle" : "test",
    trigger: "manual",
    execution_order: "parallel",
    stop_on_failure: false,
    surroundings: "{}",
    state: "finished",
    queued_at: run.finished_at!,
    ...{ is_cancelled: false, tests: 1, executions: 1, unfinished: 0, cancelled: 0, left_out: 0 },
    ...{ passed: 0, failed: 0, errored: 0, flaky: 0, skipped: 0, blocked: 0 },
  };
}
