import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createPartitions } from "../store/partitions.ts";
import { dropMonths } from "../store/retention.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { startTarget } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";
import { retain, startRetention } from "./retention.ts";

const day = 86_400_000;

for (const engine of testEngines()) {
  let database: Database;
  let world: ExecutionWorld;
  let target: Awaited<ReturnType<typeof startTarget>>;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(async (_request, response) => void response.end("ok"));
    world = await createExecutionWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });

  async function toRows(organizationId: string) {
    const count = async (name: string) => {
      const { rows } = await sql<{ count: number }>`
        select cast(count(*) as int) as count from ${sql.id(schemaName, name)}
        where organization_id = ${organizationId}`.execute(database.kysely);
      return rows[0]!.count;
    };
    return {
      details: await count("execution_details"),
      executions: await count("executions"),
      runs: await count("runs"),
      counts: (await count("execution_counts")) + (await count("operation_counts")),
    };
  }

  /** Versions of a test that are stored as they were when they ran. */
  async function getVersions(testId: string): Promise<number[]> {
    const { rows } = await sql<{ version: number }>`
      select version from ${sql.id(schemaName, "test_snapshots")} where test_id = ${testId} order by version`.execute(
      database.kysely,
    );
    return rows.map(({ version }) => version);
  }

  const db = () => database.inSchema<ExecutionTables>(schemaName);
  const log = pino({ level: "silent" });
  const { signal } = new AbortController();
  async function getRetain({ organizationId }: { organizationId: string }, days: number): Promise<void> {
    const clock = movableClock(new Date(Date.now() + days * day));
    const findRetention = async (of: string) =>
      of === organizationId ? { detailsDays: 7, verdictsDays: 90 } : undefined;
    await retain({ db: db(), clock, log, findRetention }, signal);
  }

  test(`${engine.name}: D09: bodies are deleted by the plan, verdicts later, and an organization without a plan keeps everything`, async () => {
    const [brief, lasting] = [await world.createTenant(target.baseUrl), await world.createTenant(target.baseUrl)];
    for (const { createTest, run } of [brief, lasting]) {
      const { id } = await createTest();
      for (let runs = 0; runs < 3; runs += 1) await run(id);
    }
    const findRetention = async (organizationId: string) =>
      organizationId === brief.organizationId ? { detailsDays: 7, verdictsDays: 90 } : undefined;
    const after = async (days: number) => {
      const clock = movableClock(new Date(Date.now() + days * day));
      await retain({ db: db(), clock, log, findRetention }, signal);
      return await toRows(brief.organizationId);
    };
    // By hour for the test, its API and its organization, and by day for the operation.
    const all = { details: 3, executions: 3, runs: 3, counts: (await toRows(lasting.organizationId)).counts };
    expect(all.counts).toBeGreaterThanOrEqual(4);
    expect(await after(6)).toEqual(all);
    expect(await after(8)).toEqual({ ...all, details: 0 });
    expect(await after(91)).toEqual({ details: 0, executions: 0, runs: 0, counts: 0 });
    expect(await toRows(lasting.organizationId)).toEqual(all);
  });

  test(`${engine.name}: D09: what a test would notice quotes from its response and is deleted with it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    await tenant.run(testId);
    requireValue(await tenant.client.getTestNotices({ params: { testId } }), "notices");
    const listed = async () =>
      requireValue(await tenant.client.listTestNotices({ query: { testIds: testId } }), "list").items.length;
    await getRetain(tenant, 6);
    expect(await listed()).toBe(1);
    await getRetain(tenant, 8);
    expect(await listed()).toBe(0);
  });

  test(`${engine.name}: D09: data of deleted tests is deleted by the plan, too`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const [doomed, other] = [await tenant.createTest(), await tenant.createTest()];
    const source = { tests: [doomed.id, other.id] };
    requireValue(await toTheEnd(tenant.client).startRun({ body: { source } }), "run");
    requireValue(await tenant.client.deleteExecutionsOfTest({ params: { testId: doomed.id } }), "delete");
    requireValue(await tenant.client.deleteExecutionsOfTest({ params: { testId: other.id } }), "delete");
    expect(await toRows(tenant.organizationId)).toMatchObject({ executions: 0, runs: 1 });
    await getRetain(tenant, 91);
    expect(await toRows(tenant.organizationId)).toMatchObject({ runs: 0, counts: 0 });
  });

  test(`${engine.name}: D09: an organization's counts are deleted by the plan when only counts are left`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { id } = await tenant.createTest();
    await tenant.run(id);
    requireValue(await tenant.client.deleteExecutionsOfTest({ params: { testId: id } }), "delete");
    expect((await toRows(tenant.organizationId)).counts).toBeGreaterThan(0);
    await getRetain(tenant, 91);
    expect((await toRows(tenant.organizationId)).counts).toBe(0);
  });

  test(`${engine.name}: D09: a version of a test is retained as long as its executions, and a new start stores it again`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const first = await tenant.createTest();
    await tenant.run(first.id);
    const registry = world.testRegistry({ token: tenant.token });
    const changed = await registry.changeTest({ params: { testId: first.id }, body: { ...first, name: "Changed" } });
    const second = requireValue(changed, "change");
    await tenant.run(first.id);
    expect(await getVersions(first.id)).toEqual([first.version, second.version]);
    await sql`delete from ${sql.id(schemaName, "executions")} where test_id = ${first.id}
      and test_version = ${first.version}`.execute(database.kysely);
    await getRetain(tenant, 1);
    expect(await getVersions(first.id)).toEqual([second.version]);
    await getRetain(tenant, 91);
    expect(await getVersions(first.id)).toEqual([]);
    expect((await tenant.run(first.id)).state).toBe("finished");
    expect(await getVersions(first.id)).toEqual([second.version]);
  });

  test(`${engine.name}: D09: a process that is restarted every few hours also reaches deletion`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    await tenant.run((await tenant.createTest()).id);
    const clock = movableClock(new Date(Date.now() + 91 * day));
    const findRetention = async (of: string) =>
      of === tenant.organizationId ? { detailsDays: 7, verdictsDays: 90 } : undefined;
    const stop = startRetention({ db: db(), clock, log, findRetention });
    await expect.poll(() => toRows(tenant.organizationId)).toMatchObject({ executions: 0, runs: 0, counts: 0 });
    await stop();
  });

  test(`${engine.name}: D09: empty months are dropped, those with rows and the latest remain`, async () => {
    await createPartitions(database.kysely, new Date("2019-03-10T00:00:00Z"), new Date("2019-01-10T00:00:00Z"));
    const dropped = await dropMonths(db(), new Date("2019-04-10T00:00:00Z"), undefined);
    expect(dropped.sort()).toEqual(["execution_details_2019_01", "executions_2019_01"]);
    expect((await dropMonths(db(), new Date("2019-04-10T00:00:00Z"), undefined)).length).toBe(0);
  });

  test(`${engine.name}: D09: verdicts of the longest retention are dropped with their month, those of others are deleted before`, async () => {
    const own = await engine.open();
    const { createTenant, stop } = await createExecutionWorld(own);
    const [brief, lasting, other] = [
      await createTenant(target.baseUrl),
      await createTenant(target.baseUrl),
      await createTenant(target.baseUrl),
    ];
    for (const tenant of [brief, lasting, other]) await tenant.run((await tenant.createTest()).id);
    const now = new Date();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    const days = new Map([
      [brief.organizationId, 90],
      [lasting.organizationId, 120],
      [other.organizationId, 120],
    ]);
    const { rows: months } = await sql<{ name: string }>`
      select distinct tableoid::regclass::text as name from ${sql.id(schemaName, "executions")}`.execute(own.kysely);
    expect(months).toHaveLength(1);
    const left = async (at: number) => {
      const findRetention = async (of: string) => ({ detailsDays: 7, verdictsDays: days.get(of)! });
      const ownDb = own.inSchema<ExecutionTables>(schemaName);
      await retain({ db: ownDb, clock: movableClock(new Date(at)), log, findRetention }, signal);
      const { rows } = await sql<{ organization_id: string }>`
        select organization_id from ${sql.id(schemaName, "executions")}
        union all select organization_id from ${sql.id(schemaName, "runs")}`.execute(own.kysely);
      return rows.map((row) => row.organization_id).sort();
    };
    const those = [lasting, lasting, other, other].map(({ organizationId }) => organizationId).sort();
    expect(await left(nextMonth + 120 * day - 1)).toEqual(those);
    expect(await left(nextMonth + 120 * day)).toEqual([]);
    const { rows } = await sql<{ name: string | null }>`select to_regclass(${months[0]!.name})::text as name`.execute(
      own.kysely,
    );
    expect(rows).toEqual([{ name: null }]);
    await stop();
    await own.close();
  });
}
