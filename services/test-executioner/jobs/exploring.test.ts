import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { createSmallExplore } from "../testing/small-explore.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const responses = { 200: { description: "ok" } };
const paths = { "/books": { get: { responses } }, "/broken": { get: { responses } } };
const rounds = 200;
const calls = 2 * rounds;

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  let longBody = "";
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open(), { explore: createSmallExplore(rounds) });
    target = await startTarget((request, response) => {
      response.writeHead(request.url === "/broken" ? 500 : 200, { "content-type": "text/plain" });
      response.end(longBody || "ok");
    });
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  const db = () => world.database.inSchema<ExecutionTables>(schemaName);
  const createTenant = () => world.createTenant(target.baseUrl, { paths });
  type Tenant = Awaited<ReturnType<typeof createTenant>>;

  async function start({ client, apiId }: Tenant, body: object = {}) {
    const input = { maxRequests: calls + 1, requestsPerSecond: 100, ...body };
    return requireValue(await client.startExploration({ params: { apiId }, body: input }), "start");
  }

  const get = async ({ client }: Tenant, explorationId: string) =>
    requireValue(await client.getExploration({ params: { explorationId } }), "get");

  async function until(tenant: Tenant, id: string, isThere: (one: ExplorationSummary) => boolean) {
    for (;;) {
      const exploration = await get(tenant, id);
      if (isThere(exploration)) return exploration;
      await pause(50);
    }
  }
  const ended = (tenant: Tenant, id: string) => until(tenant, id, ({ finishedAt }) => finishedAt !== null);

  test(`${engine.name}: an exploration calls every operation and stores each cause once, known the second time`, async () => {
    const tenant = await createTenant();
    longBody = "é".repeat(30_000);
    const first = await start(tenant, { maxRequests: 10, seed: 7 });
    expect(first).toMatchObject({ state: "queued", ending: null, requests: 0, input: { seed: 7, changes: false } });
    const done = await ended(tenant, first.id);
    longBody = "";
    expect(done).toMatchObject({ state: "finished", ending: "requests", requests: 10, findings: 1, operations: 2 });
    expect(done.explored).toEqual([
      { operation: { method: "get", path: "/books" }, requests: 5, accepted: 5 },
      { operation: { method: "get", path: "/broken" }, requests: 5, accepted: 0 },
    ]);
    const [found] = done.found;
    expect(found).toMatchObject({ kind: "serverError", seen: 5, isKnown: false, requests: 2 });
    expect(found?.steps[0]?.response).toMatchObject({ status: 500, body: "é".repeat(20_000), keptBytes: 40_000 });
    const again = await ended(tenant, (await start(tenant, { maxRequests: 10, seed: 7 })).id);
    expect(again.found).toMatchObject([{ key: found?.key, isKnown: true }]);
    expect((await get(tenant, first.id)).found).toMatchObject([{ isKnown: false }]);
  });

  test(`${engine.name}: an exploration of chosen operations calls no other`, async () => {
    const tenant = await createTenant();
    const { length } = target.requests;
    const operations = [{ method: "get", path: "/books" }];
    const { id } = await start(tenant, { operations });
    expect(await ended(tenant, id)).toMatchObject({ state: "finished", ending: "complete", requests: rounds });
    expect(new Set(target.requests.slice(length).map(({ url }) => url))).toEqual(new Set(["/books"]));
  });

  test(`${engine.name}: a cancelled exploration ends with what it found`, async () => {
    const tenant = await createTenant();
    const { id } = await start(tenant, { requestsPerSecond: 20 });
    await until(tenant, id, ({ requests }) => requests > 2);
    const { client } = tenant;
    requireValue(await client.cancelExploration({ params: { explorationId: id } }), "cancel");
    const done = await ended(tenant, id);
    expect(done).toMatchObject({ state: "cancelled", ending: "cancelled", findings: 1 });
    expect(done.requests).toBeLessThan(calls);
    const { length } = target.requests;
    await pause(200);
    expect(target.requests.length).toBe(length);
    expect((await client.cancelExploration({ params: { explorationId: id } })).status).toBe(200);
  });

  test(`${engine.name}: an exploration sends no more requests a second than it may`, async () => {
    const tenant = await createTenant();
    const began = Date.now();
    const done = await ended(tenant, (await start(tenant, { maxRequests: 10, requestsPerSecond: 10 })).id);
    expect(done.requests).toBe(10);
    expect(Date.now() - began).toBeGreaterThan(850);
  });

  test(`${engine.name}: an API whose data is no longer disposable is not changed`, async () => {
    const tenant = await createTenant();
    const { length } = target.requests;
    const { id } = await start(tenant, { requestsPerSecond: 100, maxRequests: 10 });
    await ended(tenant, id);
    const next = "01900000-0000-7000-8000-000000000046";
    const { input, trigger } = await db()
      .selectFrom("explorations")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const changing = JSON.stringify({ ...JSON.parse(input), changes: true });
    const { organizationId: organization_id, apiId: api_id } = tenant;
    const row = { organization_id, id: next, api_id, input: changing, trigger, state: "queued" as const };
    await db()
      .insertInto("explorations")
      .values({ ...row, created_at: new Date() })
      .execute();
    const done = await ended(tenant, next);
    expect(done).toMatchObject({ state: "failed", requests: 0 });
    expect(done.message).toBe("The data of this API is no longer marked as disposable.");
    expect(target.requests.length).toBe(length + 10);
  });

  test(`${engine.name}: only what a user starts counts as confirmed`, async () => {
    const tenant = await createTenant();
    const params = { apiId: tenant.apiId };
    const byUser = requireValue(await tenant.user.startExploration({ params, body: { maxRequests: 10 } }), "start");
    await ended(tenant, byUser.id);
    const byProgram = await start(tenant, { maxRequests: 10 });
    await ended(tenant, byProgram.id);
    const rows = await db()
      .selectFrom("explorations")
      .select("trigger")
      .where("api_id", "=", tenant.apiId)
      .orderBy("id")
      .execute();
    expect(rows.map(({ trigger }) => trigger)).toEqual(["manual", "api"]);
  });

  test(`${engine.name}: the exploration of a dead process ends with a message`, async () => {
    const tenant = await createTenant();
    const { id } = await start(tenant, { requestsPerSecond: 1 });
    await until(tenant, id, ({ state }) => state === "running");
    const claimed = { fencing_token: 7, leased_until: new Date(0) };
    await db().updateTable("explorations").set(claimed).where("id", "=", id).execute();
    // The process that has lost it is busy with it until it looks, and then ends those of others.
    const done = await ended(tenant, id);
    expect(done).toMatchObject({ state: "failed", ending: "failed" });
    expect(done.message).toBe("The portal was restarted. Start it again with the same seed.");
  });

  test(`${engine.name}: a process that stops ends its exploration, and what was found stays`, async () => {
    const database = await engine.open();
    const other = await createExecutionWorld(database, { explore: createSmallExplore(rounds) });
    const { client, apiId } = await other.createTenant(target.baseUrl, { paths });
    const body = { maxRequests: calls, requestsPerSecond: 10 };
    const { id } = requireValue(await client.startExploration({ params: { apiId }, body }), "start");
    const rows = () => database.inSchema<ExecutionTables>(schemaName).selectFrom("explorations").where("id", "=", id);
    while (!(await rows().select("findings").executeTakeFirst())?.findings) await pause(50);
    await other.stop();
    const row = await rows().selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: "failed", ending: "failed", findings: 1 });
    expect(row.message).toBe("The portal was restarted. Start it again with the same seed.");
    expect(row.requests).toBeLessThan(calls);
    await database.close();
  });

  test(`${engine.name}: with its API an exploration goes, and what it found`, async () => {
    const tenant = await createTenant();
    const { id } = await start(tenant, { requestsPerSecond: 20 });
    await until(tenant, id, ({ findings }) => findings > 0);
    const registry = world.apiRegistry({ token: tenant.token });
    await registry.deleteApi({ params: { apiId: tenant.apiId } });
    const rows = async () => [
      ...(await db().selectFrom("explorations").select("id").where("id", "=", id).execute()),
      ...(await db().selectFrom("exploration_findings").select("key").where("exploration_id", "=", id).execute()),
    ];
    while ((await rows()).length > 0) await pause(50);
    // What was found before its process noticed is not stored any more.
    await pause(1_200);
    expect(await rows()).toEqual([]);
  });
}
