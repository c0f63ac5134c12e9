import { sql } from "kysely";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";

/** An execution that was just moved to the finished ones. */
export interface Ending {
  id: string;
  organization_id: string;
  run_id: string;
  position: number;
  phase: CirclePhase;
  test_id: string;
  test_version: number;
  test_name: string;
  api_id: string;
  method: string;
  path: string;
  row_index: number | null;
  location_id: string | null;
  /** Null for a cancelled one. */
  verdict: ExecutionVerdict | null;
  /** JSON of a Cause. */
  cause: string | null;
  reason: string | null;
  status_code: number | null;
  /** The credential that it failed by. */
  credential_id: string | null;
  response_milliseconds: number | null;
  started_at: Date | null;
  finished_at: Date;
  /** For executions that never started: whether they were counted against the plan. */
  reserves?: boolean;
}

export const endingColumns = sql.raw(
  "id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id, method, path, row_index, location_id, verdict, cause, reason, status_code, credential_id, " +
    "response_milliseconds, started_at, finished_at",
);
