import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { movableSettings } from "../../kit/testing/settings.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const settings = movableSettings();
let world: ExecutionWorld;
let target: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await testEngines()[0].open(), { settings });
  target = await startTarget(respondJson({}));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

test("a test that requests more time than operators allow gets the allowed time", async () => {
  settings.set({ testTimeoutSeconds: 1 });
  target.answer(() => {});
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest({ timeoutMilliseconds: 100_000 });
  const execution = await tenant.run(id);
  expect(execution).toMatchObject({ verdict: "errored", cause: { code: "timeout" } });
  expect(execution.cause!.detail).toMatch(/within (1000|9\d\d) ms/);
  settings.set({ testTimeoutSeconds: 120 });
});

test("of a body as much is kept as operators allow, and all of it is judged", async () => {
  settings.set({ answerKibibytes: 2 });
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end(`${"a".repeat(5_000)}z`);
  });
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest({
    assertions: [{ source: "body", comparison: "endsWith", target: "z" }],
  });
  const { verdict, attempts } = await tenant.run(id);
  expect(verdict).toBe("passed");
  expect(attempts[0]!.response).toMatchObject({ truncated: false, bodyBytes: 5_001, keptBytes: 2_048 });
  expect(attempts[0]!.response!.body).toBe("a".repeat(2_048));
  settings.set({ answerKibibytes: 1_024 });
});

test("H01: a JSON body of 3 MiB is judged as a whole and kept in part; beyond the operators' limit it can't be judged", async () => {
  const body = JSON.stringify({
    items: Array.from({ length: 60_000 }, (_, id) => ({ id, name: `a long name of the pet ${id}` })),
    last: 7,
  });
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest({
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.last", comparison: "equals", target: 7 },
    ],
  });
  const judged = await tenant.run(id);
  expect(judged.verdict).toBe("passed");
  const kept = judged.attempts[0]!.response!;
  expect(kept).toMatchObject({ truncated: false, bodyBytes: body.length, keptBytes: 1_048_576 });
  expect(kept.body).toHaveLength(1_048_576);
  settings.set({ judgedMebibytes: 1 });
  const cut = await tenant.run(id);
  expect(cut).toMatchObject({ verdict: "errored", cause: { code: "body_truncated" } });
  expect(cut.attempts[0]!.response).toMatchObject({ status: 200, truncated: true, bodyBytes: 1_048_576 });
  settings.set({ judgedMebibytes: 32 });
});

test("no more requests of one organization run at the same time than operators allow, until they allow more", async () => {
  settings.set({ concurrencyPerOrganization: 2 });
  const open: (() => void)[] = [];
  target.answer((_, response) => void open.push(() => response.writeHead(200).end()));
  const tenant = await world.createTenant(target.baseUrl);
  const tests = await Promise.all(Array.from({ length: 5 }, () => tenant.createTest()));
  const started = await tenant.client.startRun({ body: { source: { tests: tests.map(({ id }) => id) } } });
  expect(started.status).toBe(202);
  await vi.waitUntil(() => open.length >= 2, { timeout: 300_000 });
  open[0]!();
  await vi.waitUntil(() => open.length >= 3, { timeout: 300_000 });
  expect(open).toHaveLength(3);
  settings.set({ concurrencyPerOrganization: 48 });
  await vi.waitUntil(() => open.length === 5, { timeout: 300_000 });
  for (const result of open.slice(1)) result();
});
