import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { listDatedPartitions } from "../store/dated-details.ts";
import { createComingPartitions } from "../store/partitions.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { startTarget } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";
import { retain } from "./retention.ts";

const day = 86_400_000;
const log = pino({ level: "silent" });

for (const engine of bothEngines()) {
  /** Each other, unless a test says so: of unchanged ones only what differs is stored. */
  let body = () => String(Math.random());
  let database: Database;
  let world: ExecutionWorld;
  let target: Awaited<ReturnType<typeof startTarget>>;
  beforeAll(async () => {
    database = await engine.open();
    target = await startTarget(async (_request, response) => void response.end(body()));
    world = await createExecutionWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await target.close();
    await database.close();
  });
  const db = () => database.inSchema<ExecutionTables>(schemaName);

  /** Retention as it is in some days, for the plans given by organization; null: without a plan, undefined: unknown. */
  async function retainIn(days: number, plans: Record<string, number | null | undefined>): Promise<void> {
    const findRetention = async (id: string) => {
      const detailsDays = id in plans ? plans[id] : null;
      return typeof detailsDays === "number" ? { detailsDays, verdictsDays: 365 } : detailsDays;
    };
    const clock = movableClock(new Date(Date.now() + days * day));
    await retain({ db: db(), clock, log, findRetention }, new AbortController().signal);
  }
  /** With an execution: retention looks at those that have one. */
  async function createTenant() {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest();
    const run = async () => (await tenant.run(testId)).id;
    const before = await run();
    const countAttempts = async (executionId: string) =>
      requireValue(await tenant.client.getExecution({ params: { executionId } }), "get").attempts.length;
    return { ...tenant, testId, before, runTest: run, countAttempts };
  }
  async function countDated(organizationId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.id(schemaName, "dated_details")}
      where organization_id = ${organizationId}::uuid`.execute(database.kysely);
    return rows[0]!.count;
  }
  /** Partitions of a retention that were there today. */
  const listOfToday = async (days: number) =>
    (await listDatedPartitions(db())).filter((one) => one.days === days && one.from.getTime() <= Date.now());

  test(`${engine.name}: D09: details are dropped by day, and read as before until then`, async () => {
    const [one, other] = [await createTenant(), await createTenant()];
    const { before } = one;
    const different = body;
    body = () => "unchanged";
    const plans = { [one.organizationId]: 7, [other.organizationId]: 7 };
    await retainIn(0, plans);
    const ids = [await one.runTest(), await one.runTest()];
    body = different;
    const ofOther = await other.runTest();
    // The first was stored before the retention was known; the third has differences from the second.
    expect([await countDated(one.organizationId), await countDated(other.organizationId)]).toEqual([2, 1]);
    for (const id of [before, ...ids]) expect(await one.countAttempts(id)).toBe(1);
    await retainIn(6, plans);
    for (const id of [before, ...ids]) expect(await one.countAttempts(id)).toBe(1);
    await retainIn(8.1, plans);
    expect(await listOfToday(7)).toEqual([]);
    for (const id of [before, ...ids]) expect(await one.countAttempts(id)).toBe(0);
    expect(await other.countAttempts(ofOther)).toBe(0);
    // What ends now has no partition, and is stored and deleted all the same.
    const late = await one.runTest();
    expect(await one.countAttempts(late)).toBe(1);
    await retainIn(8.1, plans);
    expect(await one.countAttempts(late)).toBe(0);
  });

  test(`${engine.name}: D09: details outlive their day where the retention has become longer, ended or is not known`, async () => {
    const [grown, freed, brief] = [await createTenant(), await createTenant(), await createTenant()];
    const all = [grown, freed, brief];
    const first = Object.fromEntries(all.map(({ organizationId }) => [organizationId, 9]));
    await retainIn(0, first);
    const ids = await Promise.all(all.map(({ runTest }) => runTest()));
    const countAll = () => Promise.all(all.map(({ countAttempts }, index) => countAttempts(ids[index]!)));
    await retainIn(11, { ...first, [brief.organizationId]: undefined });
    expect(await countAll()).toEqual([1, 1, 1]);
    // By several processes at the same time.
    const plans = { ...first, [grown.organizationId]: 30, [freed.organizationId]: null };
    await Promise.all([1, 2, 3].map(() => retainIn(11, plans)));
    expect(await listOfToday(9)).toEqual([]);
    expect(await countAll()).toEqual([1, 1, 0]);
    const later = await grown.runTest();
    expect(await grown.countAttempts(later)).toBe(1);
    await retainIn(32, plans);
    expect(await countAll()).toEqual([0, 1, 0]);
  });

  test(`${engine.name}: D09: a retention that has become shorter holds for what is stored by the longer one`, async () => {
    const [shortened, same] = [await createTenant(), await createTenant()];
    await retainIn(0, { [shortened.organizationId]: 20, [same.organizationId]: 20 });
    const ids = [await shortened.runTest(), await same.runTest()];
    await retainIn(5, { [shortened.organizationId]: 3, [same.organizationId]: 20 });
    expect(await shortened.countAttempts(ids[0]!)).toBe(0);
    expect(await same.countAttempts(ids[1]!)).toBe(1);
  });

  test(`${engine.name}: details of a retention of a day, or of many years, are stored as before`, async () => {
    const [brief, lasting] = [await createTenant(), await createTenant()];
    await retainIn(0, { [brief.organizationId]: 1, [lasting.organizationId]: 100_000 });
    for (const { runTest, countAttempts, organizationId } of [brief, lasting]) {
      expect(await countAttempts(await runTest())).toBe(1);
      expect(await countDated(organizationId)).toBe(0);
    }
  });

  test(`${engine.name}: details by retention are deleted with their test`, async () => {
    const tenant = await createTenant();
    await retainIn(0, { [tenant.organizationId]: 14 });
    await tenant.runTest();
    expect(await countDated(tenant.organizationId)).toBe(1);
    requireValue(await tenant.client.deleteExecutionsOfTest({ params: { testId: tenant.testId } }), "delete");
    await expect.poll(() => countDated(tenant.organizationId)).toBe(0);
  });

  test(`${engine.name}: coming days get their partitions in advance, once, also by several processes at the same time`, async () => {
    const tenant = await createTenant();
    await retainIn(0, { [tenant.organizationId]: 60 });
    const now = new Date("2031-11-15T12:00:00Z");
    await Promise.all([1, 2, 3].map(() => createComingPartitions(db(), now)));
    const partitions = (await listDatedPartitions(db())).filter(({ from }) => from.getUTCFullYear() === 2031);
    // A day behind and a week ahead; of more than 45 days' retention, a partition is a week.
    expect(partitions.filter(({ days }) => days === 14)).toHaveLength(9);
    expect(partitions.filter(({ days }) => days === 60)).toHaveLength(3);
  });
}
