import { sql } from "kysely";
import { afterAll, afterEach, expect, test } from "vitest";
import type { Run } from "#contracts/test-executioner/runs.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";
import { respondJson } from "../testing/target.ts";

type Ways = Partial<Omit<Parameters<Tenant["createCircle"]>[0], "members">>;
type Members = [phase: "setUp" | "main" | "tearDown", name: string, input?: Partial<TestInput>][];

const asks = (...names: string[]): Partial<TestInput> => ({
  request: { query: names.map((name) => ({ name, value: `{{${name}}}`, enabled: true })) } as never,
});
const gives = (name: string): Pick<TestInput, "captures"> => ({
  captures: [{ name, source: "jsonPath", property: "$.token" }],
});
const ends = ({ members }: Run) =>
  members.items.map(({ phase, testName, state, verdict }) => `${phase} ${testName} ${verdict ?? state}`);

for (const engine of testEngines()) {
  const { world, target, begin, start, get, close } = await createRunWorld(await engine.open(), { withAnalyzer: true });
  afterEach(() => world.settle());
  afterAll(close);

  async function makeCircle(tenant: Tenant, members: Members, ways: Ways = {}) {
    const named = [];
    for (const [phase, name, input] of members) {
      named.push({ phase, testId: (await tenant.createTest({ name, path: `/${name}`, ...input })).id });
    }
    return (await tenant.createCircle({ members: named, ...ways })).id;
  }
  async function runCircle(members: Members, ways: Ways = {}) {
    const tenant = await world.createTenant(target.baseUrl);
    const testCircleId = await makeCircle(tenant, members, ways);
    const before = target.requests.length;
    const { id } = await start(tenant, { source: { testCircleId } });
    const run = await get(tenant, id);
    return { tenant, testCircleId, run, urls: target.requests.slice(before).map(({ url }) => url) };
  }
  /** Responds with 500 on these paths, with a token on all others. */
  const failing = (...paths: string[]) =>
    target.answer((request, response) => {
      const status = paths.includes(request.url!.replace(/\?.*/, "")) ? 500 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end('{"token":"t1"}');
    });

  test(`${engine.name}: a parallel circle's set-up passes captures to all, its members run up to the limit at once, tear-down comes last`, async () => {
    let underWay = 0;
    let max = 0;
    let letGo = () => {};
    const areThree = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    target.answer(async ({ url }, response) => {
      underWay += 1;
      max = Math.max(max, underWay);
      if (underWay === 3) letGo();
      if (url!.startsWith("/m")) await areThree;
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      response.writeHead(200, { "content-type": "application/json" }).end('{"token":"t1"}');
    });
    const main: Members = Array.from({ length: 7 }, (_, index) => ["main", `m${index}`, asks("token")]);
    const { run, urls } = await runCircle(
      [["tearDown", "out", asks("token")], ...main, ["setUp", "first"], ["setUp", "login", gives("token")]],
      { order: "parallel", concurrency: 3 },
    );
    expect(run).toMatchObject({ state: "finished", verdict: "passed", order: "parallel", concurrency: 3 });
    expect(max).toBe(3);
    expect(urls.slice(0, 2)).toEqual(["/first", "/login"]);
    expect(urls.slice(2, -1).sort()).toEqual(main.map(([, name]) => `/${name}?token=t1`));
    expect(urls.at(-1)).toBe("/out?token=t1");
    expect(run.captures).toEqual([{ name: "token", value: "t1", secret: false, position: 2 }]);
  });

  test(`${engine.name}: in a sequential circle members also pass captures on, and start one after the other`, async () => {
    failing();
    const { run, urls } = await runCircle([
      ["main", "make", gives("token")],
      ["main", "read", asks("token")],
      ["tearDown", "remove", asks("token")],
    ]);
    expect(run).toMatchObject({ verdict: "passed", order: "sequential", concurrency: null });
    expect(urls).toEqual(["/make", "/read?token=t1", "/remove?token=t1"]);
  });

  test(`${engine.name}: parallel members pass no captures on, and the missing value's cause says so`, async () => {
    failing();
    const { run } = await runCircle(
      [
        ["main", "make", gives("token")],
        ["tearDown", "remove", asks("token")],
      ],
      { order: "parallel" },
    );
    expect(run.members.items[1]).toMatchObject({
      verdict: "errored",
      reason: '{{token}} has no value: member 1, "make", captures it, but what runs in parallel hands nothing on.',
    });
  });

  test.each(["sequential", "parallel"] as const)(
    `${engine.name}: %s: a failing set-up blocks everything but tear-down, and is named`,
    async (order) => {
      failing("/login");
      const { run, urls } = await runCircle(
        [
          ["setUp", "login"],
          ["setUp", "second"],
          ["main", "a"],
          ["main", "b"],
          ["tearDown", "x"],
          ["tearDown", "y"],
        ],
        { order },
      );
      expect(urls).toEqual(["/login", "/x", "/y"]);
      expect(run).toMatchObject({ state: "finished", verdict: "failed" });
      expect(ends(run)).toEqual([
        "setUp login failed",
        "setUp second skipped",
        "main a skipped",
        "main b skipped",
        "tearDown x passed",
        "tearDown y passed",
      ]);
      expect(run.members.items[2]!.reason).toBe('Not run: set-up comes first, and its member 1, "login", failed.');
      expect(run.reason).toBe(run.members.items[0]!.reason);
    },
  );

  test(`${engine.name}: a circle that stops on failure still tears down, whatever the result of that`, async () => {
    failing("/a", "/x");
    const members: Members = [
      ["main", "a"],
      ["main", "b"],
      ["tearDown", "x"],
      ["tearDown", "y"],
    ];
    const { run, urls } = await runCircle(members, { stopOnFailure: true });
    expect(urls).toEqual(["/a", "/x", "/y"]);
    expect(ends(run)).toEqual(["main a failed", "main b skipped", "tearDown x failed", "tearDown y passed"]);
  });

  test(`${engine.name}: a failing tear-down is a failure of the circle`, async () => {
    failing("/x");
    const { run } = await runCircle([
      ["main", "a"],
      ["tearDown", "x"],
    ]);
    expect(run).toMatchObject({ verdict: "failed", counts: { passed: 1, failed: 1 } });
  });

  test.each(["sequential", "parallel"] as const)(
    `${engine.name}: %s: a cancelled circle runs its tear-down and is cancelled`,
    async (order) => {
      const tenant = await world.createTenant(target.baseUrl);
      const members: Members = [
        ["setUp", "login"],
        ["main", "a"],
        ["main", "b"],
        ["main", "c"],
        ["tearDown", "x"],
      ];
      const testCircleId = await makeCircle(tenant, members, { order, concurrency: 2 });
      const held: (() => void)[] = [];
      target.answer(async (request, response) => {
        if (request.url === "/a" || request.url === "/b") await new Promise<void>((resolve) => held.push(resolve));
        response.end("{}");
      });
      const { id } = await begin(tenant, { source: { testCircleId } });
      const running = order === "sequential" ? 1 : 2;
      await expect.poll(() => held.length).toBe(running);
      requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
      for (const letGo of held) letGo();
      await expect.poll(async () => (await get(tenant, id)).state).toBe("cancelled");
      const run = await get(tenant, id);
      const b = running === 2 ? "passed" : "cancelled";
      expect(ends(run)).toEqual([
        ...["setUp login passed", "main a passed", `main b ${b}`, "main c cancelled", "tearDown x passed"],
      ]);
      expect(run.counts.unfinished).toBe(0);
    },
  );

  test(`${engine.name}: a circle cancelled during its tear-down completes it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const members: Members = [
      ["main", "a"],
      ["tearDown", "x"],
      ["tearDown", "y"],
    ];
    const testCircleId = await makeCircle(tenant, members);
    const held: (() => void)[] = [];
    target.answer(async (request, response) => {
      if (request.url === "/x") await new Promise<void>((resolve) => held.push(resolve));
      response.end("{}");
    });
    const { id } = await begin(tenant, { source: { testCircleId } });
    await expect.poll(() => held.length).toBe(1);
    requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
    held[0]!();
    await expect.poll(async () => (await get(tenant, id)).state).toBe("cancelled");
    expect(ends(await get(tenant, id))).toEqual(["main a passed", "tearDown x passed", "tearDown y passed"]);
  });

  test(`${engine.name}: cancelled before anything has begun, a circle has nothing to tear down`, async () => {
    const idle = await createRunWorld(await engine.open(), { work: false });
    const tenant = await idle.world.createTenant(target.baseUrl);
    const members = [];
    for (const phase of ["setUp", "main", "tearDown"] as const) {
      members.push({ phase, testId: (await tenant.createTest({ name: phase })).id });
    }
    const { id: testCircleId } = await tenant.createCircle({ members });
    const { id } = await idle.begin(tenant, { source: { testCircleId } });
    requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
    expect(await idle.get(tenant, id)).toMatchObject({ state: "cancelled", counts: { cancelled: 3, unfinished: 0 } });
    await idle.close();
  });

  test(`${engine.name}: deleting tests of set-up or waiting members lets the rest continue`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const members: Members = [
      ["setUp", "login"],
      ["setUp", "gone"],
      ["main", "a"],
      ["main", "gone too"],
      ["tearDown", "x"],
    ];
    const testCircleId = await makeCircle(tenant, members, { order: "parallel", concurrency: 1 });
    const { id } = await begin(tenant, { source: { testCircleId } });
    await expect.poll(() => held.waiting.length).toBe(1);
    const before = await get(tenant, id);
    for (const index of [1, 3]) {
      await tenant.client.deleteExecutionsOfTest({ params: { testId: before.members.items[index]!.testId } });
    }
    held.letGo();
    await expect.poll(async () => (await get(tenant, id)).state).toBe("finished");
    expect(ends(await get(tenant, id))).toEqual(["setUp login passed", "main a passed", "tearDown x passed"]);
  });

  test(`${engine.name}: L03: a circle's secret variable is used, precedes the environment's, and is found in no table, response or log line`, async () => {
    const [secret, given] = ["canary-of-a-circle", "canary-of-a-call"];
    target.answer((request, response) => {
      const echoed = JSON.stringify({ sent: request.url, token: request.headers["x-key"] });
      response.writeHead(200, { "content-type": "application/json" }).end(echoed);
    });
    const tenant = await world.createTenant(target.baseUrl);
    const header = { request: { headers: [{ name: "x-key", value: "{{key}}", enabled: true }] } as never };
    const testCircleId = await makeCircle(
      tenant,
      [
        ["main", "a", header],
        ["main", "b", { ...asks("plain"), ...gives("echoed") }],
      ],
      {
        order: "parallel",
        variables: [
          { name: "key", value: secret, secret: true },
          { name: "plain", value: "p" },
        ],
      },
    );
    const own = await get(tenant, (await start(tenant, { source: { testCircleId } })).id);
    expect(own.verdict).toBe("passed");
    expect(target.requests.at(-1)!.url).toBe("/b?plain=p");
    expect(own.captures).toEqual([{ name: "key", value: null, secret: true, position: 0 }]);
    const overridden = await start(tenant, { source: { testCircleId }, variables: { key: given, plain: "q" } });
    const sent = target.requests.slice(-4).map(({ headers, url }) => headers["x-key"] ?? url);
    expect(sent.sort()).toEqual(["/b?plain=p", "/b?plain=q", given, secret].sort());
    const seen = [JSON.stringify([own, await get(tenant, overridden.id)]), ...world.logged];
    for (const name of ["runs", "run_captures", "executions", "execution_details"]) {
      const { rows } = await sql<{ row: string }>`
        select row_to_json(kept)::text as row from ${sql.table(`test_executioner.${name}`)} kept
        where organization_id = ${tenant.organizationId}::uuid`.execute(world.database.kysely);
      expect(rows.length, name).toBeGreaterThan(0);
      seen.push(...rows.map(({ row }) => row));
    }
    expect(seen.filter((text) => text.includes(secret) || text.includes(given))).toEqual([]);
  });

  test(`${engine.name}: a circle runs its selections as they are at the start, and reports what it omitted`, async () => {
    failing();
    const tenant = await world.createTenant(target.baseUrl);
    await tenant.createTest({ name: "a", tags: ["smoke"] });
    const off = await tenant.createTest({ name: "off", enabled: false });
    await tenant.createTest({ name: "unsafe", method: "post", tags: ["smoke"] });
    const selection = { kind: "selection" as const, apiId: tenant.apiId, tag: "smoke" };
    const { id: testCircleId } = await tenant.createCircle({ members: [selection, { testId: off.id }] });
    const getNames = async (runId: string) => (await get(tenant, runId)).members.items.map(({ testName }) => testName);
    const first = await start(tenant, { source: { testCircleId } });
    expect(await getNames(first.id)).toEqual(["a"]);
    expect(first).toMatchObject({
      source: { kind: "circle", testCircleId, testCircleName: "a circle" },
      counts: { leftOut: 2 },
    });
    await tenant.createTest({ name: "b", tags: ["smoke"] });
    expect(await getNames((await start(tenant, { source: { testCircleId } })).id)).toEqual(["a", "b"]);
  });

  test(`${engine.name}: a start joins an unfinished run of the same circle, and no other`, async () => {
    const held = target.hold();
    const tenant = await world.createTenant(target.baseUrl);
    const testCircleId = await makeCircle(tenant, [["main", "a"]]);
    const other = await makeCircle(tenant, [["main", "b"]]);
    const join = async (id: string) => (await begin(tenant, { source: { testCircleId: id }, joinUnfinished: true })).id;
    const ids = await Promise.all([join(testCircleId), join(testCircleId)]);
    expect(new Set(ids).size).toBe(1);
    expect(await join(other)).not.toBe(ids[0]);
    held.letGo();
    await world.settle();
    target.answer(respondJson({}));
    expect(await join(testCircleId)).not.toBe(ids[0]);
  });

  test(`${engine.name}: failures of a circle run again between set-up and tear-down, and still belong to the circle`, async () => {
    failing("/b");
    const members: Members = [
      ["setUp", "login", gives("token")],
      ["main", "a"],
      ["main", "b", asks("token")],
      ["tearDown", "x"],
    ];
    const { tenant, run, testCircleId } = await runCircle(members, { order: "parallel", concurrency: 2 });
    failing();
    const before = target.requests.length;
    const again = await start(tenant, { source: { runId: run.id, only: "failed" } });
    expect(again).toMatchObject({
      source: { kind: "rerun", runId: run.id, circle: { testCircleId, testCircleName: "a circle" } },
      ...{ trigger: "api", verdict: "passed", order: "parallel", concurrency: 2 },
    });
    expect(target.requests.slice(before).map(({ url }) => url)).toEqual(["/login", "/b?token=t1", "/x"]);
    expect(
      await tenant.client.startRun({ query: {}, body: { source: { runId: again.id, only: "failed" } } }),
    ).toMatchObject({ status: 422, problem: { detail: "Nothing failed in this run." } });
  });

  test(`${engine.name}: tests to run again are counted by method beforehand`, async () => {
    failing("/b", "/c");
    const { tenant, run } = await runCircle([
      ["setUp", "login", { method: "post" }],
      ["main", "a", { method: "post" }],
      ["main", "b", { method: "delete" }],
      ["main", "c"],
    ]);
    const describe = async (client: Tenant["client"]) =>
      await client.describeRepetition({ params: { runId: run.id }, query: {} });
    expect(requireValue(await describe(tenant.client), "ask")).toEqual({
      executions: 3,
      methods: [
        { method: "delete", safe: false, executions: 1 },
        { method: "get", safe: true, executions: 1 },
        { method: "post", safe: false, executions: 1 },
      ],
    });
    const stranger = await world.createTenant(target.baseUrl);
    expect((await describe(stranger.client)).status).toBe(404);
  });

  test(`${engine.name}: a run continues from one member with the captures made before it`, async () => {
    failing("/c");
    const { tenant, run } = await runCircle([
      ["main", "a", gives("token")],
      ["main", "b"],
      ["main", "c", asks("token")],
      ["main", "d"],
      ["tearDown", "x", asks("token")],
    ]);
    failing();
    const before = target.requests.length;
    const again = await start(tenant, { source: { runId: run.id, from: 3 } });
    expect(again).toMatchObject({ source: { kind: "rerun", runId: run.id, from: 3 }, verdict: "passed" });
    expect(target.requests.slice(before).map(({ url }) => url)).toEqual(["/c?token=t1", "/d", "/x?token=t1"]);
    const requested = { params: { runId: run.id }, query: { from: 4 } };
    expect(requireValue(await tenant.client.describeRepetition(requested), "ask")).toEqual({
      executions: 2,
      methods: [{ method: "get", safe: true, executions: 2 }],
    });
    expect(await tenant.client.startRun({ query: {}, body: { source: { runId: run.id, from: 9 } } })).toMatchObject({
      problem: { errors: [{ path: "source.from", message: "The run has no member at this position" }] },
    });
  });

  test(`${engine.name}: whole runs count for their circle, partial repetitions do not, and all are deleted with the circle`, async () => {
    failing("/main");
    const { tenant, testCircleId, run } = await runCircle([
      ["setUp", "login"],
      ["main", "main"],
    ]);
    await start(tenant, { source: { runId: run.id, only: "failed" } });
    const { organizationId } = tenant;
    const count = async () => {
      const client = world.connect({ token: await world.identities.serviceToken(organizationId) });
      const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
      const body = { subjectId: testCircleId, starts: [from!], until: until! };
      return requireValue(await client.countExecutions({ body }), "count").total;
    };
    expect(await count()).toMatchObject({ executions: 2, passed: 1, failed: 1, available: 1, unavailable: 1 });
    const operator = world.connect({ token: world.identities.tokenFor({ scopes: ["system:manage"] }).token });
    const recounted = requireValue(await operator.recount({ body: { organizationId } }), "recount");
    expect(recounted).toMatchObject({ hours: 0, runs: 0 });
    await world.testRegistry({ token: tenant.token }).deleteCircle({ params: { testCircleId } });
    while ((await count()).executions > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}
