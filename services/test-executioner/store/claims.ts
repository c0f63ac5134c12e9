import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type ExecutionRow, type ExecutionTables, table } from "./tables.ts";

export type ClaimedExecution = Pick<
  ExecutionRow,
  | "id"
  | "organization_id"
  | "run_id"
  | "test_id"
  | "test_version"
  | "test_name"
  | "api_id"
  | "method"
  | "path"
  | "row_index"
  | "fencing_token"
>;

export interface Claim {
  executionId: string;
  organizationId: string;
}

/**
 * Takes executions for this worker. One that is running already lost its worker (its job would not be ours otherwise);
 * the counted-up token keeps that one from writing. Ended and deleted ones are left out.
 */
export async function claimExecutions(
  db: Executor<ExecutionTables>,
  claims: Claim[],
  now: Date,
): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`
    update ${table("executions")} execution
    set state = 'running', fencing_token = execution.fencing_token + 1,
      started_at = coalesce(execution.started_at, ${now}::timestamptz)
    from unnest(
      ${claims.map(({ executionId }) => executionId)}::uuid[],
      ${claims.map(({ organizationId }) => organizationId)}::uuid[]
    ) as claim(id, organization_id)
    where execution.id = claim.id and execution.organization_id = claim.organization_id
      and execution.state in ('queued', 'running')
    returning execution.id, execution.organization_id, execution.run_id, execution.test_id, execution.test_version,
      execution.test_name, execution.api_id, execution.method, execution.path, execution.row_index,
      execution.fencing_token`.execute(db);
  return rows;
}

/** Puts executions back that a stopping worker hands back; the next one starts them from the beginning. */
export async function releaseExecutions(db: Executor<ExecutionTables>, claims: Claim[]): Promise<void> {
  await sql`
    update ${table("executions")} execution set state = 'queued', fencing_token = execution.fencing_token + 1
    from unnest(
      ${claims.map(({ executionId }) => executionId)}::uuid[],
      ${claims.map(({ organizationId }) => organizationId)}::uuid[]
    ) as claim(id, organization_id)
    where execution.id = claim.id and execution.organization_id = claim.organization_id
      and execution.state = 'running'`.execute(db);
}
