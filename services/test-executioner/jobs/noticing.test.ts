import { afterAll, beforeAll, expect, test } from "vitest";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";
import { MeasuringThread } from "./measuring-thread.ts";
import { noticeRuns } from "./noticing.ts";
import { createOperationLookup } from "./operation-lookup.ts";

const schema = {
  type: "object",
  required: ["id", "title"],
  properties: { id: { type: "integer" }, title: { type: "string" }, currency: { type: "string" } },
};
const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const paths = { "/books/{id}": { get: { responses, parameters: [id] } }, "/": { get: { responses } } };
const status200: Assertion = { source: "statusCode", comparison: "equals", target: 200 };

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  let sent = 0;
  let reply: (path: string) => unknown = () => ({ id: 7, title: "Dune", currency: "EUR" });
  const thread = new MeasuringThread();
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open());
    target = await startTarget((request, response) => {
      sent += 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(reply(request.url!)));
    });
  });
  afterAll(async () => {
    await thread.stop();
    await world.stop();
    await world.database.close();
    await target.close();
  });
  const db = () => world.database.inSchema<ExecutionTables>(schemaName);

  async function createShop(input: Partial<TestInput> = {}) {
    reply = () => ({ id: 7, title: "Dune", currency: "EUR" });
    const tenant = await world.createTenant(target.baseUrl, { paths });
    const created = await tenant.createTest({ assertions: [status200], ...input });
    const testId = created.id;
    const notices = async () => requireValue(await tenant.client.getTestNotices({ params: { testId } }), "notices");
    return {
      ...tenant,
      testId,
      notices,
      runAny: (any: string) => tenant.run(any),
      run: (variables?: Record<string, string>) => tenant.run(testId, { variables }),
      async phrases() {
        return (await notices()).missedChanges.map(({ phrase }) => phrase);
      },
      async listed() {
        return requireValue(await tenant.client.listTestNotices({ query: { testIds: testId } }), "list").items;
      },
      async summary() {
        const found = await tenant.client.summarizeNotices({ params: { apiId: tenant.apiId } });
        return requireValue(found, "summary");
      },
      async change(changes: Partial<TestInput>) {
        const registry = world.testRegistry({ token: tenant.token });
        const { apiId: _, ...current } = requireValue(await registry.getTest({ params: { testId } }), "test");
        const headers = { "if-match": `"${current.version}"` };
        const body = { ...current, ...changes };
        return requireValue(await registry.changeTest({ params: { testId }, body, headers }), "changed");
      },
    };
  }

  /** The job, so often that each organization has had its turn; the service's own may have taken one. */
  async function measure(): Promise<void> {
    const { log, identities } = world;
    const findOperation = createOperationLookup(world.apiRegistry, identities.serviceToken);
    for (let turn = 0; turn < 4; turn += 1) {
      seconds += 10;
      const clock = { now: () => new Date(Date.now() + seconds * 1_000) };
      await noticeRuns({ db: db(), clock, log, findOperation, thread }, new AbortController().signal);
    }
  }
  let seconds = 0;
  const patiently = { timeout: 20_000 };

  test(`${engine.name}: a test says what it would notice, from its stored response and without a request`, async () => {
    const shop = await createShop();
    expect(await shop.notices()).toMatchObject({ state: "never_passed", changes: 0, executionId: null });
    const { id: executionId } = await shop.run();
    sent = 0;
    const found = await shop.notices();
    expect(found).toMatchObject({ state: "found", executionId, testVersion: 1, noticed: 3, cannotFail: false });
    expect(found.changes).toBe(found.noticedChanges.length + found.missedChanges.length);
    expect(found.missedChanges.find(({ phrase }) => phrase === "another currency")?.assertion).toEqual({
      ...{ source: "jsonPath", property: "$.currency", comparison: "equals", target: "EUR" },
    });
    expect(sent).toBe(0);
  });

  test(`${engine.name}: an assertion that was added counts at once, judged on the same response`, async () => {
    const shop = await createShop();
    await shop.run();
    sent = 0;
    const before = await shop.notices();
    const added = before.missedChanges.find(({ phrase }) => phrase === "another currency")!.assertion!;
    await shop.change({ assertions: [status200, added] });
    const after = await shop.notices();
    expect(after).toMatchObject({ testVersion: 2, changes: before.changes });
    expect(after.noticed).toBeGreaterThan(before.noticed);
    expect(await shop.phrases()).not.toContain("another currency");
    expect(sent).toBe(0);
  });

  test(`${engine.name}: a test that sends another request now is judged as it was executed`, async () => {
    const shop = await createShop();
    await shop.run();
    const equals: Assertion = { source: "jsonPath", property: "$.id", comparison: "equals", target: 8 };
    await shop.change({ request: { query: [{ name: "a", value: "b" }] } as never, assertions: [equals] });
    expect(await shop.notices()).toMatchObject({ testVersion: 1, noticed: 3, setAside: 0 });
  });

  test(`${engine.name}: values that differed between passed executions are not expected`, async () => {
    const shop = await createShop();
    await shop.run();
    expect(await shop.phrases()).toContain("another title");
    reply = () => ({ id: 7, title: "Emma", currency: "EUR" });
    await shop.run();
    const phrases = await shop.phrases();
    expect(phrases).not.toContain("another title");
    expect(phrases).toContain("another currency");
  });

  test(`${engine.name}: a filled variable is judged as it was, and proposed where the response has what was sent`, async () => {
    const pathParameters = [{ name: "id", value: "{{bookId}}" }];
    const shop = await createShop({ path: "/books/{id}", request: { pathParameters } as never });
    await shop.run({ bookId: "7" });
    const miss = (await shop.notices()).missedChanges.find(({ phrase }) => phrase === "another id");
    expect(miss?.assertion).toMatchObject({ property: "$.id", comparison: "equals", target: "{{bookId}}" });
    await shop.change({ assertions: [status200, miss!.assertion!] });
    // Its variable has no stored value before it has run in this version.
    expect(await shop.notices()).toMatchObject({ testVersion: 2, setAside: 1 });
    expect((await shop.run({ bookId: "7" })).verdict).toBe("passed");
    const after = await shop.notices();
    expect(after.setAside).toBe(0);
    expect(after.noticedChanges.map(({ phrase }) => phrase)).toContain("another id");
  });

  test(`${engine.name}: says why nothing is known`, async () => {
    const cut = await createShop();
    reply = () => ({ id: 7, title: "x".repeat(1_100_000) });
    await cut.run();
    expect(await cut.notices()).toMatchObject({ state: "body_cut", changes: 0 });
    expect(await cut.listed()).toEqual([]);
    const gone = await createShop();
    const { id: executionId } = await gone.run();
    await db().deleteFrom("execution_details").where("execution_id", "=", executionId).execute();
    expect(await gone.notices()).toMatchObject({ state: "not_stored", changes: 0 });
  });

  test(`${engine.name}: after a passed run the counts are stored for lists, once for each version`, async () => {
    const shop = await createShop();
    await shop.run();
    const measured = async () => {
      await measure();
      return (await shop.listed())[0];
    };
    await expect.poll(measured, patiently).toMatchObject({ testId: shop.testId, noticed: 3, cannotFail: false });
    let known = await measured();
    for (const _ of ["second", "third", "fourth"]) {
      await shop.run();
      await expect.poll(async () => (await measured())!.foundAt, patiently).not.toBe(known!.foundAt);
      known = await measured();
    }
    await shop.run();
    expect(await measured()).toEqual(known);
    await shop.change({ assertions: [status200, { source: "body", comparison: "exists" }] });
    await shop.run();
    await expect.poll(async () => (await measured())!.noticed, patiently).toBeGreaterThan(known!.noticed);
  });

  test(`${engine.name}: a test that passes with every change is marked, and the API's figures count it`, async () => {
    const shop = await createShop();
    const blind: Assertion = { source: "statusCode", comparison: "greaterThan", target: 0 };
    const request = { pathParameters: [{ name: "id", value: "1" }] } as never;
    const other = await shop.createTest({ assertions: [blind], path: "/books/{id}", request });
    await shop.createTest({ name: "never ran" });
    await shop.run();
    expect((await shop.runAny(other.id)).verdict).toBe("passed");
    const measured = async () => {
      await measure();
      return await shop.summary();
    };
    await expect.poll(measured, patiently).toMatchObject({ tests: 2, cannotFail: 1 });
    const summary = await shop.summary();
    expect(summary.since).not.toBeNull();
    expect(summary.operations).toMatchObject([
      { path: "/", tests: 1, noticed: 3, cannotFail: 0 },
      { path: "/books/{id}", tests: 1, noticed: 0, cannotFail: 1 },
    ]);
    const listed = await shop.client.listTestNotices({ query: { testIds: other.id } });
    expect(requireValue(listed, "list").items).toMatchObject([{ cannotFail: true, noticed: 0 }]);
  });

  test(`${engine.name}: another organization sees nothing of it, and a deleted test leaves nothing`, async () => {
    const shop = await createShop();
    await shop.run();
    await measure();
    const { client } = await world.createTenant(target.baseUrl);
    expect(await client.getTestNotices({ params: { testId: shop.testId } })).toMatchObject({ status: 404 });
    expect(await client.summarizeNotices({ params: { apiId: shop.apiId } })).toMatchObject({ status: 404 });
    const listed = await client.listTestNotices({ query: { testIds: shop.testId } });
    expect(requireValue(listed, "list").items).toEqual([]);
    await shop.client.deleteExecutionsOfTest({ params: { testId: shop.testId } });
    expect(await shop.listed()).toEqual([]);
    expect((await shop.summary()).tests).toBe(0);
  });
}
