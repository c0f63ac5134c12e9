import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: ExecutionWorld;
let target: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await engine.open());
  target = await startTarget(respondJson({ name: "Rex" }));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

async function runOnce(input: Partial<TestInput>, baseUrl = target.baseUrl) {
  const tenant = await world.createTenant(baseUrl);
  const { id } = await tenant.createTest(input);
  return await tenant.run(id);
}

const answersInTurn = (...statuses: number[]) => {
  let turn = 0;
  target.answer((_, response) => {
    const status = statuses[Math.min(turn, statuses.length - 1)]!;
    turn += 1;
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" }).end(`{"turn":${turn}}`);
  });
};

const retry = (attempts: number, delayMilliseconds = 10) => ({
  attempts,
  backoff: "fixed" as const,
  delayMilliseconds,
});

test("passing on a later attempt is flaky, and every attempt is stored", async () => {
  answersInTurn(500, 503, 200);
  const execution = await runOnce({ retry: retry(4) });
  expect(execution).toMatchObject({ verdict: "flaky", attemptCount: 3, statusCode: 200 });
  expect(execution.attempts.map(({ number, verdict, response }) => [number, verdict, response!.status])).toEqual([
    [1, "failed", 500],
    [2, "failed", 503],
    [3, "passed", 200],
  ]);
});

test("a test that never passes fails after its last attempt", async () => {
  answersInTurn(500);
  expect(await runOnce({ retry: retry(3) })).toMatchObject({ verdict: "failed", attemptCount: 3, statusCode: 500 });
});

const waitUntil = { everySeconds: 0.1, atMostSeconds: 300 };

test("a condition that is met late is passed, and the result says after how many tries and how long", async () => {
  answersInTurn(404, 404, 404, 200);
  const execution = await runOnce({ waitUntil });
  expect(execution).toMatchObject({ verdict: "passed", attemptCount: 4, statusCode: 200 });
  expect(execution.reason).toMatch(/^Passed after 4 tries, \d+\.\d s\.$/);
});

test("a condition that is never met is failed with the last response, and the result says for how long it was tried", async () => {
  answersInTurn(500);
  const execution = await runOnce({ waitUntil: { everySeconds: 0.4, atMostSeconds: 1 } });
  expect(execution).toMatchObject({ verdict: "failed", statusCode: 500 });
  const { attemptCount, attempts, reason } = execution;
  expect(attempts.at(-1)!.response!.body).toBe(`{"turn":${attemptCount}}`);
  expect(reason).toMatch(new RegExp(`^Not met within 1 s: ${attemptCount} tr(y|ies)\\. .*500`));
});

test.each(["parallel", "sequential"] as const)("%s: cancelling a run ends the waiting of its test", async (order) => {
  answersInTurn(404);
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest({ waitUntil: { everySeconds: 60, atMostSeconds: 300 } });
  const before = target.requests.length;
  const started = requireValue(await tenant.client.startRun({ body: { source: { tests: [id] }, order } }), "start");
  await expect.poll(() => target.requests.length).toBe(before + 1);
  const params = { runId: started.id };
  requireValue(await tenant.client.cancelRun({ params }), "cancel");
  const get = async () => requireValue(await tenant.client.getRun({ params, query: {} }), "get");
  await expect.poll(async () => (await get()).state, { timeout: 30_000 }).toBe("cancelled");
  const [member] = (await get()).members.items;
  expect(member).toMatchObject({ state: "cancelled", verdict: null, reason: "Cancelled while waiting." });
  expect(member!.startedAt).not.toBeNull();
  expect(target.requests.length).toBe(before + 1);
});

test("H12: a server that requests an endless pause is not obeyed", async () => {
  target.answer((_, response) => {
    response.writeHead(429, { "retry-after": "1000000000" }).end();
  });
  expect(await runOnce({ retry: retry(2), timeoutMilliseconds: 400 })).toMatchObject({ attemptCount: 2 });
});

test("H03: a server that drips or never responds is abandoned at the deadline", async () => {
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const drip = setInterval(() => response.write("x"), 50);
    response.on("close", () => clearInterval(drip));
  });
  const dripping = await runOnce({ timeoutMilliseconds: 600 });
  expect(dripping).toMatchObject({ verdict: "errored", cause: { code: "timeout" } });
  target.answer(() => {});
  const silent = await runOnce({ timeoutMilliseconds: 300 });
  expect(silent).toMatchObject({ verdict: "errored", cause: { code: "timeout" }, statusCode: null });
  expect(silent.attempts[0]!.request!.url).toBe(`${target.baseUrl}/`);
});

test("an execution that could not be judged is errored with its cause, a forbidden one is blocked", async () => {
  const cases: [Partial<TestInput>, string, string, string][] = [
    [{}, "http://127.0.0.1:59998", "errored", "connection_refused"],
    [{}, "http://nothing.invalid", "errored", "dns_failed"],
    [{}, "http://10.255.255.1", "blocked", "target_not_allowed"],
    [{ retry: retry(3) }, "http://169.254.169.254/latest", "blocked", "target_not_allowed"],
    [
      { retry: retry(3), request: { headers: [{ name: "x", value: "{{nothing}}" }] } as never },
      target.baseUrl,
      "errored",
      "variable_missing",
    ],
  ];
  for (const [input, baseUrl, verdict, code] of cases) {
    const execution = await runOnce(input, baseUrl);
    expect(execution, code).toMatchObject({ state: "finished", verdict, cause: { code }, attemptCount: 1 });
    expect(execution.cause!.detail).not.toBe("");
  }
});

test("H01: a body beyond 32 MiB is truncated and marked, its first 1 MiB kept, and the connection closed", async () => {
  let sent = 0;
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const chunk = Buffer.alloc(65_536, "a");
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", more);
      }
    };
    more();
  });
  const execution = await runOnce({});
  const { response } = execution.attempts[0]!;
  expect(response).toMatchObject({ truncated: true, bodyBytes: 32 * 1_048_576, keptBytes: 1_048_576 });
  expect(response!.body).toHaveLength(1_048_576);
  expect(sent).toBeLessThan(96 * 1_048_576);
});

test("bodies with NUL, lone surrogates and invalid bytes are stored; those that are not text only by their size", async () => {
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"a":"\\u0000\\ud800","b":"x\u0000y"}');
  });
  const stored = await runOnce({});
  expect(stored.attempts[0]!.response!.body).toBe('{"a":"\\u0000\\ud800","b":"x\u0000y"}');
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(Buffer.from([0, 255, 1, 254]));
  });
  const binary = await runOnce({});
  expect(binary.attempts[0]!.response).toMatchObject({ body: null, bodyBytes: 4 });
});

test("a compressed response is stored decompressed", async () => {
  target.answer((_, response) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    response.writeHead(200, headers).end(gzipSync('{"zipped":true}'));
  });
  expect((await runOnce({})).attempts[0]!.response!.body).toBe('{"zipped":true}');
});

test("redirects are followed only when the test says so, and recorded", async () => {
  target.answer((request, response) => {
    if (request.url === "/") response.writeHead(302, { location: "/end" }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("there");
  });
  const stays = await runOnce({});
  expect(stays.attempts[0]!.response).toMatchObject({ status: 302, redirects: [] });
  const follows = await runOnce({ request: { followRedirects: true } as never });
  expect(follows.attempts[0]!.response).toMatchObject({
    url: `${target.baseUrl}/end`,
    body: "there",
    redirects: [{ status: 302, url: `${target.baseUrl}/`, location: "/end" }],
  });
});

test("a run uses the test as it was when it was started", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  target.answer(respondJson({}));
  const { id } = await tenant.createTest({ request: { query: [{ name: "v", value: "old" }] } as never });
  const held = await world.connect({ token: tenant.token }).runTest({ params: { testId: id }, query: {}, body: {} });
  const body = { name: "a test", method: "get", path: "/", request: { query: [{ name: "v", value: "new" }] } };
  await world.testRegistry({ token: tenant.token }).changeTest({
    params: { testId: id },
    body: { ...body, assertions: [{ source: "statusCode", comparison: "equals", target: 200 }] },
  });
  const executionId = held.ok ? held.value.id : "";
  await expect
    .poll(async () => {
      const execution = await tenant.client.getExecution({ params: { executionId } });
      return execution.ok && execution.value.attempts[0]?.request?.url;
    })
    .toBe(`${target.baseUrl}/?v=old`);
  expect((await tenant.run(id)).attempts[0]!.request!.url).toBe(`${target.baseUrl}/?v=new`);
});

test("cookies of one execution are never sent by another", async () => {
  target.answer((_, response) => {
    response.writeHead(200, { "set-cookie": ["a=1; Path=/", "b=2"] }).end();
  });
  const execution = await runOnce({});
  expect(execution.attempts[0]!.response!.headers.filter(([name]) => name.toLowerCase() === "set-cookie")).toHaveLength(
    2,
  );
  await runOnce({});
  expect(target.requests.at(-1)!.headers.cookie).toBeUndefined();
});

test("a test deleted while it runs leaves nothing", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  let finish: () => void = () => {};
  target.answer(async (_, response) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    response.end("{}");
  });
  const before = target.requests.length;
  const { id } = await tenant.createTest();
  const started = await tenant.client.runTest({ params: { testId: id }, query: {}, body: {} });
  const executionId = started.ok ? started.value.id : "";
  await expect.poll(() => target.requests.length).toBe(before + 1);
  await tenant.client.deleteExecutionsOfTest({ params: { testId: id } });
  finish();
  // Later executions are stored later.
  const other = await tenant.createTest({ name: "after" });
  target.answer(respondJson({}));
  await tenant.run(other.id);
  expect((await tenant.client.getExecution({ params: { executionId } })).status).toBe(404);
});

test("an execution that could not be judged because of an internal error waits, and ends when it runs again", async () => {
  target.answer(respondJson({}));
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest();
  const before = target.requests.length;
  vi.spyOn(world.judging, "judge").mockRejectedValueOnce(new Error("The judging thread does not start."));
  expect(await tenant.run(id)).toMatchObject({ verdict: "passed" });
  expect(target.requests.length).toBe(before + 2);
});
