import { uuidv7 } from "uuidv7";
import { migrateSchema } from "../../kit/database/migrate.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { noOrganizationYet } from "../jobs/last-served.ts";
import { type ClaimedExecution, type ClaimOptions, claimExecutions } from "../store/claims.ts";
import { migrations } from "../store/migrations.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";

/** The queue of executions on a database of its own, without workers. */
export async function openQueue(engine: TestEngine) {
  const database = await engine.open();
  await migrateSchema(database, schemaName, migrations);
  const db = database.inSchema<ExecutionTables>(schemaName);
  return {
    db,
    /** Adds executions of an organization to the queue; returns their ids in the order of starting. */
    async add(organizationId: string, count: number): Promise<string[]> {
      if (count === 0) return [];
      const runId = uuidv7();
      const rows = Array.from({ length: count }, (_, index) => toQueued(organizationId, index + 1, runId));
      await db.insertInto("unfinished_executions").values(rows).execute();
      return rows.map(({ id }) => id);
    },
    claim: (options: Partial<ClaimOptions> = {}): Promise<ClaimedExecution[]> =>
      db.transaction().execute((transaction) =>
        claimExecutions(transaction, {
          ...{
            max: 12,
            mostOfOne: 100,
            capacities: new Map(),
            served: [],
            after: noOrganizationYet,
            leaseSeconds: 60,
            now: new Date(),
          },
          ...options,
        }),
      ),
    clear: () => db.deleteFrom("unfinished_executions").execute(),
    close: () => database.close(),
  };
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** A row of the queue. */
export const toQueued = (organizationId: string, position: number, runId = uuidv7()) => ({
  id: uuidv7(),
  organization_id: organizationId,
  run_id: runId,
  phase: "main" as const,
  position,
  test_id: runId,
  test_version: 1,
  test_name: "t",
  api_id: runId,
  method: "get",
  path: "/",
  row_index: null,
  trigger: "api" as const,
  queued_at: new Date(),
  state: "queued" as const,
  is_released: true,
  fencing_token: 0,
  claims: 0,
});
