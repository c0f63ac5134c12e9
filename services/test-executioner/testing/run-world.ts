import { sql } from "kysely";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { respondJson, startTarget } from "./target.ts";
import { toTheEnd } from "./to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld, type WorldOptions } from "./world.ts";

export type Tenant = Awaited<ReturnType<ExecutionWorld["createTenant"]>>;
export type StartBody = Parameters<Tenant["client"]["startRun"]>[0]["body"];

/** For tests of calls about runs: the services on a separate database, and an API to send to. */
export async function createRunWorld(database: Database, options: WorldOptions = {}) {
  const world = await createExecutionWorld(database, options);
  const target = await startTarget(respondJson({}));
  return {
    world,
    target,
    /** Starts a run and returns at once. */
    begin: async (tenant: Tenant, body: StartBody) => requireValue(await tenant.client.startRun({ body }), "begin"),
    /** Starts a run and waits for its end. */
    start: async (tenant: Tenant, body: StartBody) =>
      requireValue(await toTheEnd(tenant.client).startRun({ body }), "start"),
    get: async (tenant: Tenant, runId: string, query = {}) =>
      requireValue(await tenant.client.getRun({ params: { runId }, query }), "get"),
    /** Makes times equal, so that a slow moment of this machine does not count as a change. */
    async levelTimes() {
      await sql`update test_executioner.executions set response_milliseconds = 1
        where response_milliseconds is not null`.execute(world.database.kysely);
    },
    async close() {
      await world.stop();
      await world.database.close();
      await target.close();
    },
  };
}
