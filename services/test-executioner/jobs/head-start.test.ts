import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

let testDatabase: TestDatabase;
let world: ExecutionWorld;
let target: Target;
/** A separate connection: locks rows, and observes who waits for them. */
let holder: pg.Client;
let looker: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  world = await createExecutionWorld(await openPostgresDatabase(testDatabase.url));
  target = await startTarget(respondJson({}));
  [holder, looker] = [1, 2].map(() => new pg.Client({ connectionString: testDatabase.url })) as [pg.Client, pg.Client];
  await Promise.all([holder.connect(), looker.connect()]);
});
afterAll(async () => {
  await Promise.all([holder.end(), looker.end()]);
  await world.stop();
  await world.database.close();
  await testDatabase.drop();
  await target.close();
});
beforeEach(() => holder.query("begin"));
afterEach(() => holder.query("rollback"));

const urls = () => target.requests.map(({ method, url }) => `${method} ${url}`);

/** A sequential run of tests at /1, /2 and so on, which blocks where the result of its first member is stored. */
async function startHeld(methods: string[], changes: Partial<TestInput>[] = []) {
  const tenant = await world.createTenant(target.baseUrl);
  const tests: string[] = [];
  for (const [index, method] of methods.entries()) {
    tests.push((await tenant.createTest({ method, path: `/${index + 1}`, ...changes[index] })).id);
  }
  await tenant.run(tests[0]!);
  await holder.query("select from test_executioner.last_verdicts where test_id = $1 for update", [tests[0]]);
  target.requests.length = 0;
  const body = { source: { tests }, order: "sequential" as const };
  const { id: runId } = requireValue(await tenant.client.startRun({ query: {}, body }), "start");
  const read = async () => requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "get");
  const storing = await waitingProcess("%last_verdicts%");
  return {
    storing,
    reasons: async () => (await read()).members.items.map(({ reason }) => reason),
    cancel: () => tenant.client.cancelRun({ params: { runId } }),
    /** Lets the result be stored and the run end. */
    async letGo() {
      await holder.query("rollback");
      await expect.poll(async () => (await read()).state).not.toMatch(/queued|running|cancelling/);
      return (await read()).members.items.map(({ state, verdict }) => verdict ?? state);
    },
  };
}

/** Its process id at the server, once a statement like this waits for a locked row. */
async function waitingProcess(statement: string): Promise<number> {
  let found: number | undefined;
  const look = async () => {
    const { rows } = await looker.query(
      "select pid from pg_stat_activity where datname = current_database() and query like $1 and wait_event_type = 'Lock'",
      [statement],
    );
    found = rows[0]?.pid;
    return found;
  };
  await expect.poll(look).toBeDefined();
  return found!;
}

test("a sequential run sends safe requests while the previous result is being stored", async () => {
  const { letGo } = await startHeld(["get", "get", "get"]);
  await expect.poll(urls).toEqual(["GET /1", "GET /2"]);
  expect(await letGo()).toEqual(["passed", "passed", "passed"]);
  expect(urls()).toEqual(["GET /1", "GET /2", "GET /3"]);
});

test("a request that may change something waits until the previous result is stored", async () => {
  const { letGo } = await startHeld(["get", "post"]);
  expect(urls()).toEqual(["GET /1"]);
  expect(await letGo()).toEqual(["passed", "passed"]);
  expect(urls()).toEqual(["GET /1", "POST /2"]);
});

test("cancelling while a result is being stored does not cancel a request that was sent", async () => {
  // The second member's result could be stored, and the third claimed, before the cancellation has its turn.
  let answerSecond = () => {};
  target.answer(async (request, response) => {
    if (request.url === "/2") {
      await new Promise<void>((resolve) => {
        answerSecond = resolve;
      });
    }
    await respondJson({})(request, response);
  });
  const { cancel, letGo } = await startHeld(["get", "get", "get"]);
  await expect.poll(urls).toEqual(["GET /1", "GET /2"]);
  const cancelling = cancel();
  await waitingProcess("%from test_executioner.runs%for update");
  const ending = letGo();
  expect((await cancelling).ok).toBe(true);
  answerSecond();
  target.answer(respondJson({}));
  expect(await ending).toEqual(["passed", "passed", "cancelled"]);
  expect(urls()).toEqual(["GET /1", "GET /2"]);
});

test("a result that could not be stored at first is stored again, and a member with a head start counts once", async () => {
  const { storing, letGo } = await startHeld(["get", "get"]);
  await expect.poll(urls).toEqual(["GET /1", "GET /2"]);
  await looker.query("select pg_terminate_backend($1)", [storing]);
  // It may be visible for a moment longer.
  await expect.poll(() => waitingProcess("%last_verdicts%")).not.toBe(storing);
  expect(await letGo()).toEqual(["passed", "passed"]);
  expect(urls()).toEqual(["GET /1", "GET /2"]);
});

test("a missing value is explained by the outcome of the member before, once that is stored", async () => {
  const { reasons, letGo } = await startHeld(
    ["get", "get"],
    [
      { name: "gives", captures: [{ name: "petId", source: "jsonPath", property: "$.id" }] },
      { request: { query: [{ name: "id", value: "{{petId}}", enabled: true }] } as never },
    ],
  );
  expect(await letGo()).toEqual(["passed", "errored"]);
  expect((await reasons())[1]).toContain('member 1, "gives", should have captured it and passed');
  expect(urls()).toEqual(["GET /1"]);
});
