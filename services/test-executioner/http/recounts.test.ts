import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName, table } from "../store/tables.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const nothing = { hours: 0, days: 0, operations: 0, operationVerdicts: 0, lastVerdicts: 0, runs: 0 };
const countTables = [
  "execution_counts",
  "day_counts",
  "operation_counts",
  "operation_verdicts",
  "last_verdicts",
] as const;

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    target = await startTarget(respondJson({}));
    world = await createExecutionWorld(await engine.open());
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  /** An operator, who belongs to another organization. */
  const recount = async (organizationId: string) => {
    const operator = world.connect({ token: world.identities.tokenFor({ scopes: ["system:manage"] }).token });
    return requireValue(await operator.recount({ body: { organizationId } }), "recount");
  };

  async function readCounts(organizationId: string) {
    const tables = [...countTables, "runs" as const].map(async (name) => {
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(known) - 'replaced_verdict')::text as row from ${table(name)} known
        where organization_id = ${organizationId}::uuid order by 1`.execute(world.database.kysely);
      return rows.map(({ row }) => row);
    });
    return await Promise.all(tables);
  }

  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ number: String(index) }));

  test(`${engine.name}: wrong counts of hours, operations, tests and runs are corrected, and others remain`, async () => {
    const [tenant, other] = [await world.createTenant(target.baseUrl), await world.createTenant(target.baseUrl)];
    const { organizationId, apiId } = tenant;
    for (const one of [tenant, other]) {
      const failing = { assertions: [{ source: "statusCode" as const, comparison: "equals" as const, target: 201 }] };
      await one.run((await one.createTest()).id);
      await one.run((await one.createTest({ ...failing, data: rows(3) })).id);
    }
    const [right, others] = [await readCounts(organizationId), await readCounts(other.organizationId)];
    expect(await recount(organizationId)).toEqual(nothing);

    const db = world.database.inSchema<ExecutionTables>(schemaName);
    const ours = ["organization_id", "=", organizationId] as const;
    await db
      .updateTable("execution_counts")
      .set({ passed: 99 })
      .where(...ours)
      .where("subject_id", "=", apiId)
      .execute();
    await db
      .deleteFrom("execution_counts")
      .where(...ours)
      .where("subject_id", "=", organizationId)
      .execute();
    await db
      .updateTable("day_counts")
      .set({ flaky: 7 })
      .where(...ours)
      .where("subject_id", "=", apiId)
      .execute();
    await db
      .updateTable("operation_counts")
      .set({ unsteady: 7, response_times: "1" })
      .where(...ours)
      .execute();
    await db
      .updateTable("operation_verdicts")
      .set({ status_code: 418 })
      .where(...ours)
      .execute();
    await db
      .updateTable("last_verdicts")
      .set({ test_id: uuidv7() })
      .where(...ours)
      .where("data_row", "=", 0)
      .execute();
    await db
      .updateTable("runs")
      .set({ failed: 0, verdict: "passed", reason: null })
      .where(...ours)
      .execute();
    expect(await recount(organizationId)).toEqual({
      hours: 2,
      days: 1,
      operations: 1,
      operationVerdicts: 2,
      lastVerdicts: 2,
      runs: 1,
    });
    expect(await readCounts(organizationId)).toEqual(right);
    expect(await readCounts(other.organizationId)).toEqual(others);
    expect(await recount(organizationId)).toEqual(nothing);
  });

  test(`${engine.name}: results that arrive while counts are repaired are counted once`, async () => {
    const { organizationId, client, createTest } = await world.createTenant(target.baseUrl);
    const tests = await Promise.all([1, 2, 3].map(() => createTest({ data: rows(100) })));
    const body = { source: { tests: tests.map(({ id }) => id) }, trigger: "api" as const };
    const run = requireValue(await client.startRun({ query: { wait: 0 }, body }), "run");
    const isOver = async () =>
      requireValue(await client.getRun({ params: { runId: run.id }, query: {} }), "run").state === "finished";
    while (!(await isOver())) await recount(organizationId);
    expect(await recount(organizationId)).toEqual(nothing);
    const displayed = requireValue(await client.getRun({ params: { runId: run.id }, query: {} }), "run");
    expect(displayed.counts).toMatchObject({ executions: 300, passed: 300 });
  });

  test(`${engine.name}: a run with a wrong count ends, and one that lost a test keeps its verdicts`, async () => {
    const { organizationId, client, createTest, run } = await world.createTenant(target.baseUrl);
    const stuck = await run((await createTest()).id);
    const db = world.database.inSchema<ExecutionTables>(schemaName);
    await db
      .updateTable("runs")
      .set({ state: "running", unfinished: 1, finished_at: null })
      .where("id", "=", stuck.runId)
      .execute();
    const deleted = await createTest();
    const source = { tests: [deleted.id, (await createTest()).id] };
    const lost = requireValue(await toTheEnd(client).startRun({ body: { source, trigger: "api" } }), "run");
    await client.deleteExecutionsOfTest({ params: { testId: deleted.id } });
    expect(await recount(organizationId)).toMatchObject({ runs: 1 });
    const [ended, stored] = await Promise.all(
      [stuck.runId, lost.id].map(async (runId) =>
        requireValue(await client.getRun({ params: { runId }, query: {} }), "run"),
      ),
    );
    expect(ended).toMatchObject({ state: "finished", verdict: "passed", finishedAt: stuck.finishedAt });
    expect(stored!.counts).toMatchObject({ executions: 2, passed: 2 });
  });

  test(`${engine.name}: only operators may recount, and it is recorded in the organization concerned`, async () => {
    const { organizationId, client } = await world.createTenant(target.baseUrl);
    const scopes = ["tests:write", "tests:run", "users:manage"] as const;
    const administrator = world.identities.tokenFor({ organizationId, scopes: [...scopes] });
    const refused = await world.connect({ token: administrator.token }).recount({ body: { organizationId } });
    expect(refused.status).toBe(403);
    expect((await client.recount({ body: { organizationId: "mine" } })).status).toBe(422);
    await recount(organizationId);
    const { rows: records } = await sql<object>`
      select operation, resource_kind, resource_id from ${sql.id(schemaName, "audit_records")}
      where organization_id = ${organizationId}::uuid`.execute(world.database.kysely);
    expect(records).toEqual([{ operation: "recount", resource_kind: "counts", resource_id: organizationId }]);
  });
}
