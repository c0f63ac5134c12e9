import { expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSequentialWorld } from "../testing/sequential-world.ts";
import { respondJson } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";

const created: Partial<TestInput> = {
  name: "Create a pet",
  captures: [{ name: "petId", source: "jsonPath", property: "$.id" }],
};
const read: Partial<TestInput> = {
  name: "Read the pet",
  request: { query: [{ name: "id", value: "{{petId}}", enabled: true }] } as never,
};

for (const engine of testEngines()) {
  const { world, target, runInOrder } = await createSequentialWorld(engine);

  test(`${engine.name}: a sequential run passes a captured id to the next member`, async () => {
    target.answer((request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":"pet 7"}');
      void request;
    });
    const { run, urls } = await runInOrder([created, read]);
    expect(run).toMatchObject({ state: "finished", verdict: "passed", order: "sequential" });
    expect(urls).toEqual(["/", "/?id=pet%207"]);
    expect(run.captures).toEqual([{ name: "petId", value: "pet 7", secret: false, type: "string", position: 1 }]);
    expect(run.members.items.map(({ position, verdict }) => [position, verdict])).toEqual([
      [1, "passed"],
      [2, "passed"],
    ]);
  });

  test.each([
    ...['"1042"', '"12345678901234567890"', '"true"', '"1e5"', '"\\u0000\\ud800"'],
    ...["9007199254740993", "1.0", "true", "null", '{"a":[1.50]}'],
  ])(`${engine.name}: a captured %s equals the same value in a later response`, async (id) => {
    target.answer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(`{"id":${id}}`);
    });
    const [equals, differs] = (["equals", "notEquals"] as const).map((comparison): Partial<TestInput> => {
      const assertion = { source: "jsonPath" as const, property: "$.id", comparison, target: "{{petId}}" };
      return { name: comparison, assertions: [assertion] };
    });
    const secret = { ...created, captures: created.captures!.map((capture) => ({ ...capture, secret: true })) };
    for (const first of [created, secret]) {
      const { run } = await runInOrder([first, equals!, differs!]);
      expect(run.members.items.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "failed"]);
    }
  });

  test(`${engine.name}: members of a sequential run start one after the other, including data rows in succession`, async () => {
    let underWay = 0;
    let max = 0;
    target.answer(async (_, response) => {
      underWay += 1;
      max = Math.max(max, underWay);
      await new Promise((resolve) => setTimeout(resolve, 10));
      underWay -= 1;
      response.end("{}");
    });
    const rows = { name: "rows", data: [{ n: "1" }, { n: "2" }, { n: "3" }] };
    const query = (value: string) => ({ request: { query: [{ name: "n", value, enabled: true }] } as never });
    const { run, urls } = await runInOrder([
      { name: "first", ...query("0") },
      { ...rows, ...query("{{n}}") },
      { name: "last", ...query("4") },
    ]);
    expect(urls).toEqual(["/?n=0", "/?n=1", "/?n=2", "/?n=3", "/?n=4"]);
    expect(max).toBe(1);
    expect(run.counts).toMatchObject({ tests: 3, executions: 5, passed: 5, unfinished: 0 });
    expect(run.members.items.map(({ position, row }) => [position, row])).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, undefined],
    ]);
  });

  test(`${engine.name}: a run that stops on failure skips the rest and names the member`, async () => {
    target.answer(respondJson({}, 500));
    const { run, urls } = await runInOrder([{ name: "breaks" }, { name: "b" }, { name: "c" }], { stopOnFailure: true });
    expect(urls).toHaveLength(1);
    expect(run).toMatchObject({ state: "finished", verdict: "failed" });
    expect(run.counts).toMatchObject({ failed: 1, skipped: 2, unfinished: 0 });
    expect(run.members.items[1]).toMatchObject({
      state: "finished",
      verdict: "skipped",
      reason: 'Not run: the run stops at the first failure, and member 1, "breaks", failed.',
    });
    expect(run.reason).toBe(run.members.items[0]!.reason);
    expect(run.firstFailures.map(({ position }) => position)).toEqual([1]);
  });

  test(`${engine.name}: without stopping, later members run after a failure`, async () => {
    target.answer(respondJson({}, 500));
    const { run, urls } = await runInOrder([{ name: "a" }, { name: "b" }]);
    expect(urls).toHaveLength(2);
    expect(run.counts).toMatchObject({ failed: 2, skipped: 0 });
  });

  test(`${engine.name}: an unresolved name ends the member before anything is sent, and the cause names the member that should have captured it`, async () => {
    target.answer(respondJson({ name: "no id" }));
    const passed = await runInOrder([created, read]);
    expect(passed.urls).toEqual(["/"]);
    expect(passed.run.members.items[1]).toMatchObject({
      verdict: "errored",
      reason:
        '{{petId}} has no value: member 1, "Create a pet", should have captured it and passed, but did not find it in its response, or it was longer than 100,000 characters (16,384 for a secret).',
    });
    const named = { cookies: [{ name: "{{petId}}", value: "1", enabled: true }] };
    const cookie = await runInOrder([created, { name: "Name a cookie", request: named as never }]);
    expect(cookie.run.members.items[1]!.reason).toBe(passed.run.members.items[1]!.reason);
    target.answer(respondJson({ id: "x" }, 500));
    const parallel = await runInOrder([created, { ...read, timeoutMilliseconds: 1_000 }], { order: "parallel" });
    expect(parallel.run.members.items[1]!.reason).toBe(
      '{{petId}} has no value: member 1, "Create a pet", captures it, but what runs in parallel hands nothing on.',
    );
    target.answer(() => {});
    const broken = await runInOrder([{ ...created, timeoutMilliseconds: 300 }, read]);
    expect(broken.run.members.items[1]!.reason).toMatch(
      /^\{\{petId\}\} has no value: member 1, "Create a pet", should have captured it and ended with an error: /,
    );
  });

  test(`${engine.name}: a missing name that only an assertion uses is also reported before anything is sent`, async () => {
    target.answer(respondJson({}));
    const { run, urls } = await runInOrder([
      { name: "asserts", assertions: [{ source: "statusCode", comparison: "equals", target: "{{wanted}}" }] },
    ]);
    expect(urls).toEqual([]);
    expect(run.members.items[0]).toMatchObject({ verdict: "errored" });
    expect(run.reason).toContain("{{wanted}}");
  });

  test(`${engine.name}: failures run again with the captures of the earlier run, secrets included`, async () => {
    const secret = "s3cr3t-of-the-first-run";
    target.answer((request, response) => {
      const status = request.headers["x-key"] ? 500 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ token: secret }));
    });
    const { run, tenant } = await runInOrder([
      { name: "Log in", captures: [{ name: "token", source: "jsonPath", property: "$.token", secret: true }] },
      { name: "Use it", request: { headers: [{ name: "x-key", value: "{{token}}", enabled: true }] } as never },
    ]);
    expect(run.counts).toMatchObject({ passed: 1, failed: 1 });
    target.answer(respondJson({}));
    const body = { source: { runId: run.id, only: "failed" as const } };
    const again = requireValue(await toTheEnd(tenant.client).startRun({ body }), "again");
    expect(again).toMatchObject({ verdict: "passed", counts: { executions: 1 } });
    expect(target.requests.at(-1)!.headers["x-key"]).toBe(secret);
    const whole = requireValue(await tenant.client.getRun({ params: { runId: again.id }, query: {} }), "get");
    expect(whole.captures).toEqual([{ name: "token", value: null, secret: true, type: "string", position: 0 }]);
  });

  test(`${engine.name}: captures come from headers, cookies, the status and a group of the body`, async () => {
    target.answer((_, response) => {
      response
        .writeHead(200, {
          "content-type": "text/plain",
          "x-id": "from-header",
          "set-cookie": "sid=from-cookie; Path=/",
        })
        .end("order number 4711, thank you");
    });
    const { run } = await runInOrder([
      {
        captures: [
          { name: "header", source: "header", property: "x-id" },
          { name: "cookie", source: "cookie", property: "sid" },
          { name: "status", source: "statusCode" },
          { name: "order", source: "body", property: "number (\\d+)" },
        ],
      },
    ]);
    expect(Object.fromEntries(run.captures.map(({ name, value }) => [name, value]))).toEqual({
      header: "from-header",
      cookie: "from-cookie",
      status: "200",
      order: "4711",
    });
  });

  test(`${engine.name}: cancelling or deleting the member whose turn it is lets the next one start`, async () => {
    let finish: () => void = () => {};
    target.answer(async (_, response) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end("{}");
    });
    const tenant = await world.createTenant(target.baseUrl);
    const tests = [];
    for (const name of ["a", "b", "c", "d"]) tests.push((await tenant.createTest({ name })).id);
    const before = target.requests.length;
    const body = { source: { tests }, order: "sequential" as const };
    const { id: runId } = requireValue(await tenant.client.startRun({ query: {}, body }), "start");
    await expect.poll(() => target.requests.length).toBe(before + 1);
    const get = async () => requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "get");
    const second = (await get()).members.items[1]!;
    await tenant.client.cancelExecution({ params: { executionId: second.executionId } });
    await tenant.client.deleteExecutionsOfTest({ params: { testId: tests[2]! } });
    target.answer(respondJson({}));
    finish();
    await expect.poll(async () => (await get()).state).toBe("finished");
    const run = await get();
    expect(run.members.items.map(({ position, state, verdict }) => [position, state, verdict])).toEqual([
      [1, "finished", "passed"],
      [2, "cancelled", null],
      [4, "finished", "passed"],
    ]);
    expect(run.counts).toMatchObject({ executions: 3, passed: 2, cancelled: 1, unfinished: 0 });
  });
}
