import { sql } from "kysely";
import { expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { asks, createCircleWorld, ends, gives, type Members } from "../testing/circle-world.ts";
import { respondJson } from "../testing/target.ts";

for (const engine of testEngines()) {
  const { world, target, begin, start, get, makeCircle, runCircle, failing } = await createCircleWorld(engine);

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
    expect(run.captures).toEqual([{ name: "token", value: null, secret: true, type: "string", position: 2 }]);
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
      expect(run.members.items[2]!.reason).toBe('Not run: set-up runs first, and its member 1, "login", failed.');
      expect(run.reason).toBe(run.members.items[0]!.reason);
    },
  );

  test.each([
    ["gave what it captures", 200, ["/login", "/a?token=t1", "/x"], "passed"],
    ["was refused, whatever it captured,", 409, ["/login", "/x"], "skipped"],
  ])(
    `${engine.name}: a set-up that failed but %s decides whether the others run`,
    async (_, status, expected, verdict) => {
      target.answer(({ url }, response) => {
        response
          .writeHead(url === "/login" ? status : 200, { "content-type": "application/json" })
          .end('{"token":"t1"}');
      });
      const wrong = { source: "statusCode" as const, comparison: "equals" as const, target: 201 };
      const { run, urls } = await runCircle([
        ["setUp", "login", { ...gives("token"), assertions: [wrong] }],
        ["main", "a", asks("token")],
        ["tearDown", "x"],
      ]);
      expect(urls).toEqual(expected);
      expect(run).toMatchObject({ state: "finished", verdict: "failed" });
      expect(ends(run)).toEqual(["setUp login failed", `main a ${verdict}`, "tearDown x passed"]);
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
    expect(own.captures).toEqual([{ name: "key", value: null, secret: true, type: null, position: 0 }]);
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
}
