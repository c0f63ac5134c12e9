import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: ExecutionWorld;
  let target: Awaited<ReturnType<typeof startTarget>>;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(async (_request, response) => void response.end("ok"));
    world = await createExecutionWorld(database, { withAnalyzer: true });
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });

  /** Rows of no API: they remain when its APIs are deleted. */
  const ofOrganization = sql`('audit_records', 'audit_chains', 'audit_links', 'deleted_tests', 'plan_standings')`;
  /** Counts of an organization's executions remain when its APIs are deleted. */
  const isCounts = (name: string) =>
    ["execution_counts", "day_counts"].includes(name) ? sql`and subject_id <> organization_id` : sql``;

  /** Tables in which an organization still has rows, and how many; records of deletions remain. */
  async function toRows(organizationId: string): Promise<Record<string, number>> {
    const { rows: tables } = await sql<{ table_schema: string; table_name: string }>`
      select table_schema, table_name from information_schema.columns
      where column_name = 'organization_id' and table_name not in ${ofOrganization} and table_schema in ('api_registry', 'test_registry', 'test_executioner', 'test_analyzer')
    `.execute(database.kysely);
    const counts: Record<string, number> = {};
    for (const { table_schema, table_name } of tables) {
      const { rows } = await sql<{ count: number }>`
        select cast(count(*) as int) as count from ${sql.id(table_schema, table_name)}
        where organization_id = ${organizationId} ${isCounts(table_name)}`.execute(database.kysely);
      if (rows[0]!.count > 0) counts[`${table_schema}.${table_name}`] = rows[0]!.count;
    }
    return counts;
  }

  /** After all earlier events: every consuming service has been notified. */
  async function countRowsWhenReceived(organizationId: string): Promise<Record<string, number>> {
    const isReceived = async () =>
      !Object.keys(await toRows(organizationId)).some((name) => name.endsWith("deliveries"));
    await expect.poll(isReceived).toBe(true);
    return await toRows(organizationId);
  }

  test(`${engine.name}: one call deletes an API with its documents, tests, runs, executions and counts`, async () => {
    const [tenant, neighbour] = [await world.createTenant(target.baseUrl), await world.createTenant(target.baseUrl)];
    for (const { createTest, run } of [tenant, neighbour]) {
      for (let tests = 0; tests < 3; tests += 1) await run((await createTest()).id);
    }
    const before = await countRowsWhenReceived(neighbour.organizationId);
    const deleted = await world.apiRegistry({ token: tenant.token }).deleteApi({ params: { apiId: tenant.apiId } });
    expect(deleted.status).toBe(204);
    await expect.poll(() => toRows(tenant.organizationId)).toEqual({});
    expect(await toRows(neighbour.organizationId)).toEqual(before);
  });

  test(`${engine.name}: deleting a test deletes its executions, and no other's`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const [doomed, stored] = [await tenant.createTest(), await tenant.createTest()];
    const executions = { doomed: await tenant.run(doomed.id), kept: await tenant.run(stored.id) };
    const deleted = await world.testRegistry({ token: tenant.token }).deleteTest({ params: { testId: doomed.id } });
    expect(deleted.status).toBe(204);
    const read = (executionId: string) => tenant.client.getExecution({ params: { executionId } });
    await expect.poll(async () => (await read(executions.doomed.id)).status).toBe(404);
    expect(requireValue(await read(executions.kept.id), "the other test's execution").verdict).toBe("passed");
  });

  /** As if a test had run this often. */
  async function multiply(executionId: string, times: number) {
    await sql`
      insert into test_executioner.executions
      select copied.* from test_executioner.executions execution, generate_series(1, ${times}::int) number,
        jsonb_populate_record(null::test_executioner.executions, to_jsonb(execution) || jsonb_build_object(
          'id', left(execution.id::text, 24) || lpad(to_hex(number), 12, '0'))) copied
      where execution.id = ${executionId}::uuid`.execute(database.kysely);
  }

  test(`${engine.name}: a deletion too large for one event completes in the background, however often the event is received`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { organizationId, apiId } = tenant;
    const [doomed, stored] = [await tenant.createTest(), await tenant.createTest()];
    await multiply((await tenant.run(doomed.id)).id, 23_000);
    await multiply((await tenant.run(stored.id)).id, 10);
    const executioner = world.connect({ token: await world.identities.serviceToken(organizationId) });
    const event = { type: "tests.deleted" as const, payload: { apiId, testIds: [doomed.id] } };
    const body = { ...event, id: uuidv7(), organizationId, occurredAt: new Date().toISOString() };
    const left = async () => {
      const { rows } = await sql<{ test_id: string; count: number }>`
        select test_id, count(*)::int as count from test_executioner.executions
        where organization_id = ${organizationId}::uuid group by test_id`.execute(database.kysely);
      return new Map(rows.map((row) => [row.test_id, row.count]));
    };
    await Promise.all([executioner.receiveEvent({ body }), executioner.receiveEvent({ body })]);
    expect((await left()).get(doomed.id)).toBeLessThan(23_000);
    await expect.poll(left).toEqual(new Map([[stored.id, 11]]));
    const isDue = sql`select from test_executioner.deleted_tests where due_at is not null`;
    await expect.poll(async () => (await isDue.execute(database.kysely)).rows).toEqual([]);
  });

  test(`${engine.name}: a start that read its tests before they were deleted starts nothing`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { organizationId, apiId } = tenant;
    const [one, other] = [await tenant.createTest(), await tenant.createTest()];
    // The registry still has it, as it had at the start's request.
    const executioner = world.connect({ token: await world.identities.serviceToken(organizationId) });
    const event = { type: "tests.deleted" as const, payload: { apiId, testIds: [one.id] } };
    const body = { ...event, id: uuidv7(), organizationId, occurredAt: new Date().toISOString() };
    requireValue(await executioner.receiveEvent({ body }), "event");
    const start = (tests: string[]) => toTheEnd(tenant.client).startRun({ body: { source: { tests } } });
    expect(await start([one.id, other.id])).toMatchObject({ status: 409 });
    expect(requireValue(await tenant.client.listRuns({ query: {} }), "runs").items).toEqual([]);
    expect(await start([other.id])).toMatchObject({ value: { verdict: "passed" } });
  });
}
