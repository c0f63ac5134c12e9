import type { z } from "@hono/zod-openapi";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { statusPageInput } from "#contracts/test-analyzer/status-pages.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { countedExecution, createTestAnalyzerWorld } from "../testing/world.ts";

type World = Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
type Tenant = Awaited<ReturnType<World["createTenant"]>>;
type Input = Partial<z.input<typeof statusPageInput>>;

const dayMilliseconds = 86_400_000;

for (const engine of testEngines()) {
  let world: World;
  let tenant: Tenant;
  let testCircleId: string;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.createTenant();
    testCircleId = addCircle();
  });

  function addCircle(): string {
    const id = uuidv7();
    world.circles.add(id);
    return id;
  }
  const set = (changes: Input = {}, ifMatch?: string, { client } = tenant, id = testCircleId) =>
    client.setStatusPage({
      params: { testCircleId: id },
      body: { title: "Bookshop", ...changes },
      ...(ifMatch ? { headers: { "if-match": ifMatch } } : {}),
    });
  const open = async (changes: Input = {}) => requireValue(await set(changes), "open");
  /** As the portal requests it, for any organization's page. */
  async function read(address: string) {
    const { internal } = await world.createTenant();
    return await internal.readPublishedStatus({ params: { address } });
  }
  const readPage = async (address: string) => requireValue(await read(address), "read");

  test(`${engine.name}: a page shows the circle's status and its history by day, and nothing about its tests`, async () => {
    const { address } = await open({ text: "Orders and books." });
    expect(await readPage(address)).toMatchObject({
      standing: "unknown",
      checkedAt: null,
      share30: null,
      incidents: null,
    });
    world.clock.advance(31_000);
    const now = world.clock.now();
    const ended = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMilliseconds);
    await tenant.count([
      countedExecution({ testCircleId, finishedAt: now }),
      countedExecution({ testCircleId, finishedAt: now, verdict: "failed" }),
      countedExecution({ testCircleId, finishedAt: ended(40) }),
      countedExecution({ testCircleId, finishedAt: ended(91), verdict: "failed" }),
    ]);
    await tenant.endRun(testCircleId, "failed", { passed: 1, failed: 1 });
    const status = await readPage(address);
    expect(status).toMatchObject({
      ...{
        title: "Bookshop",
        text: "Orders and books.",
        isNamed: false,
        standing: "degraded",
        since: now.toISOString(),
      },
      ...{ checkedAt: now.toISOString(), share30: 0.5, share90: 2 / 3, asOf: now.toISOString() },
    });
    expect(status.days).toHaveLength(90);
    expect(status.days.at(-1)).toEqual({ day: now.toISOString().slice(0, 10), share: 0.5, results: 2 });
    expect(Object.keys(status).sort()).toEqual(
      "asOf checkedAt components counts createdAt days incidents isNamed message objective share30 share90 since standing text title updates".split(
        " ",
      ),
    );
  });

  test(`${engine.name}: the content is refreshed after half a minute, and the last known content is served while the executioner is unavailable`, async () => {
    const { address } = await open();
    await tenant.endRun(testCircleId, "passed");
    const first = await readPage(address);
    await tenant.endRun(testCircleId, "failed", { failed: 1 });
    world.clock.advance(29_000);
    expect(await readPage(address)).toEqual(first);
    world.clock.advance(2_000);
    world.silenceExecutioner(true);
    expect(await readPage(address)).toEqual(first);
    world.silenceExecutioner(false);
    expect(await readPage(address)).toMatchObject({ standing: "down", asOf: world.clock.now().toISOString() });
  });

  test(`${engine.name}: changes by the owner are visible immediately, and a closed page disappears immediately`, async () => {
    const { address } = await open();
    await readPage(address);
    await set({ title: "Book & shop" });
    expect(await readPage(address)).toMatchObject({ title: "Book & shop" });
    await tenant.client.closeStatusPage({ params: { testCircleId } });
    expect((await read(address)).status).toBe(404);
    expect((await open()).address).not.toBe(address);
  });

  test(`${engine.name}: a new owner of a closed page's name shows their own page immediately, and nothing of the previous one`, async () => {
    const name = `taken-${testCircleId.slice(-8)}`;
    const closed = () => tenant.client.closeStatusPage({ params: { testCircleId } });
    await open({ name, title: "The first circle" });
    expect(await readPage(name)).toMatchObject({ title: "The first circle" });
    await closed();
    testCircleId = addCircle();
    await open({ name, title: "The second circle" });
    expect(await readPage(name)).toMatchObject({ title: "The second circle" });
    await closed();
    world.clock.advance(1);
    await open({ name, title: "The second circle, opened again" });
    expect(await readPage(name)).toMatchObject({ title: "The second circle, opened again" });
    await closed();
    const stranger = await world.createTenant();
    requireValue(await set({ name, title: "A stranger's" }, undefined, stranger, addCircle()), "open");
    expect(await readPage(name)).toMatchObject({ title: "A stranger's" });
  });

  test(`${engine.name}: the owner's message is displayed with its time until it is removed`, async () => {
    const { address, messageAt } = await open({ message: "We are looking into it." });
    const first = world.clock.now().toISOString();
    expect([(await readPage(address)).message, messageAt]).toEqual([
      { text: "We are looking into it.", at: first },
      first,
    ]);
    world.clock.advance(60_000);
    await set({ title: "Shop", message: "We are looking into it." });
    expect((await readPage(address)).message).toMatchObject({ at: first });
    await set({ message: "It is mended." });
    expect((await readPage(address)).message).toEqual({ text: "It is mended.", at: world.clock.now().toISOString() });
    await set();
    expect((await readPage(address)).message).toBeNull();
  });

  test(`${engine.name}: titles of open incidents are displayed only when the owner enabled it`, async () => {
    const db = world.database.kysely;
    const { organizationId } = tenant;
    for (const [title, circle] of [
      ["pay.example.com can't be reached", testCircleId],
      ["Another circle's", addCircle()],
    ]) {
      const id = uuidv7();
      await sql`insert into test_analyzer.incidents (id, organization_id, fingerprint, cause, title, is_unsteady, severity,
          since, opened_at, failure, api_id)
        values (${id}, ${organizationId}, ${title}, '{}', ${title}, false, 'high', now(), now(), '{}', ${uuidv7()})`.execute(
        db,
      );
      await sql`insert into test_analyzer.incident_tests (incident_id, organization_id, test_id, test_circle_id,
          environment, api_id, described, test_name, state, since, run_id, execution_id)
        values (${id}, ${organizationId}, ${uuidv7()}, ${circle}, '', ${uuidv7()}, '{}', 'Pays', 'failing', now(),
          ${uuidv7()}, ${uuidv7()})`.execute(db);
    }
    const { address } = await open();
    await tenant.endRun(testCircleId, "passed", { passed: 1 });
    const silent = await readPage(address);
    expect(JSON.stringify(silent)).not.toContain("pay.example.com");
    expect(silent).toMatchObject({ standing: "degraded", since: expect.any(String) });
    await set({ showsIncidents: true });
    expect((await readPage(address)).incidents).toMatchObject([{ title: "pay.example.com can't be reached" }]);
  });

  test(`${engine.name}: a generated address stays until a new one is requested, and is in no audit record`, async () => {
    const { address } = await open();
    expect(Buffer.from(address, "base64url")).toHaveLength(16);
    expect((await open({ title: "Other" })).address).toBe(address);
    const renewed = await open({ newAddress: true });
    expect([renewed.address === address, (await read(address)).status]).toEqual([false, 404]);
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(record)::text as text from test_analyzer.audit_records record
      where organization_id = ${tenant.organizationId}`.execute(world.database.kysely);
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain(address);
  });

  test(`${engine.name}: a name is unique across organizations, and none can be the portal's own`, async () => {
    const name = `books-${testCircleId.slice(-8)}`;
    expect(await open({ name })).toMatchObject({ address: name, name });
    expect(await readPage(name)).toMatchObject({ isNamed: true });
    const other = await world.createTenant();
    const errors = async (input: Input) => {
      const result = await set(input, undefined, other, addCircle());
      return result.ok ? [] : [result.status, ...(result.problem.errors ?? []).map(({ path }) => path)];
    };
    expect(await errors({ name })).toEqual([422, "name"]);
    for (const wrong of ["admin", "api", "Books", "1st", "a", "a--", "x/y", "<b>", "b".repeat(51)])
      expect(await errors({ name: wrong }), wrong).toEqual([422, "name"]);
    expect(await errors({ title: " " })).toEqual([422, "title"]);
    await tenant.client.closeStatusPage({ params: { testCircleId } });
    expect(await errors({ name })).toEqual([]);
  });

  test(`${engine.name}: T01: another organization can't see or close a page, or open one for a circle that it does not own`, async () => {
    const { address } = await open();
    const other = await world.createTenant();
    const params = { testCircleId };
    expect(requireValue(await other.client.getStatusPage({ params }), "get")).toEqual({ statusPage: null });
    expect((await other.client.closeStatusPage({ params })).status).toBe(404);
    expect((await set({}, undefined, other, uuidv7())).status).toBe(404);
    expect((await read(address)).status).toBe(200);
    expect((await other.client.readPublishedStatus({ params: { address } })).status).toBe(404);
  });

  test(`${engine.name}: several circles are on one page in their order, each with its state and the days that were measured`, async () => {
    const other = addCircle();
    const unchecked = addCircle();
    const components = [
      { testCircleId: other, name: "Payments" },
      { testCircleId, name: "Catalogue" },
      { testCircleId: unchecked, name: "Search" },
    ];
    const { address } = await open({ components });
    const now = world.clock.now();
    await tenant.count([
      countedExecution({ testCircleId: other, finishedAt: now, verdict: "failed" }),
      countedExecution({ testCircleId, finishedAt: now }),
      countedExecution({ testCircleId, finishedAt: new Date(now.getTime() - 3 * dayMilliseconds) }),
    ]);
    await tenant.endRun(other, "failed", { failed: 1 });
    await tenant.endRun(testCircleId, "passed", { passed: 1 });
    const status = await readPage(address);
    expect(status.components).toMatchObject([
      { name: "Payments", standing: "down", since: now.toISOString(), share90: 0 },
      { name: "Catalogue", standing: "operational", since: null, share90: 1 },
      { name: "Search", standing: "unknown", checkedAt: null, share90: null },
    ]);
    expect(status.components.map(({ days }) => days.filter(({ share }) => share !== null).length)).toEqual([1, 2, 0]);
    expect(status).toMatchObject({ standing: "degraded", share90: 2 / 3, share30: 2 / 3 });
    expect(JSON.stringify(status)).not.toContain(other);
    requireValue(
      await tenant.internal.receiveEvent({
        body: {
          ...{ id: uuidv7(), organizationId: tenant.organizationId, occurredAt: now.toISOString() },
          ...{ type: "circle.deleted", payload: { testCircleId: other, name: "Gone" } },
        } as never,
      }),
      "deleted",
    );
    world.clock.advance(31_000);
    expect((await readPage(address)).components.map(({ name }) => name)).toEqual(["Catalogue", "Search"]);
  });

  test(`${engine.name}: circles of others, repeated ones and repeated names are refused at their fields`, async () => {
    const paths = async (components: Input["components"]) => {
      const result = await set({ components });
      return result.ok ? [] : (result.problem.errors ?? []).map(({ path }) => path);
    };
    const own = { testCircleId, name: "Own" };
    expect(await paths([own, { ...own, name: "Again" }])).toEqual(["components[1].testCircleId"]);
    expect(await paths([own, { testCircleId: uuidv7(), name: "Foreign" }])).toEqual(["components[1].testCircleId"]);
    expect(await paths([own, { testCircleId: addCircle(), name: "Own" }])).toEqual(["components[1].name"]);
    expect(await paths([{ testCircleId, name: " " }])).toEqual(["components[0].name"]);
    const params = { testCircleId };
    expect(requireValue(await tenant.client.getStatusPage({ params }), "get")).toEqual({ statusPage: null });
  });

  test(`${engine.name}: a write without the current version is refused`, async () => {
    expect((await set({}, '"1"')).status).toBe(412);
    expect(requireValue(await set({}, '"0"'), "open").version).toBe(1);
    expect((await set({}, '"0"')).status).toBe(412);
    expect(requireValue(await set({ text: "More" }, '"1"'), "change").version).toBe(2);
    expect((await set({}, '"1"')).status).toBe(412);
  });
}
