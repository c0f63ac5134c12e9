import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { Verdict } from "../../test-executioner/contract/verdicts.ts";
import { itemWith, operationAnswering } from "../testing/items.ts";
import { countedExecution, createTestAnalyzerWorld } from "../testing/world.ts";

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["pets"],
        responses: {
          "200": { description: "Pets" },
          "4XX": { description: "Wrong" },
          default: { description: "Other" },
        },
      },
      post: { operationId: "addPet", tags: ["pets"], responses: { "201": { description: "Added" } } },
    },
    "/shops": { get: { tags: ["shops"], responses: { "200": { description: "Shops" } } } },
  },
});

/** Percentiles are at most 5 % off. */
const near = (milliseconds: number) => expect.closeTo(milliseconds, Math.log10(1 / (milliseconds * 0.1)));

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());

  test(`${engine.name}: a response is judged and nothing is kept`, async () => {
    const { client } = await world.createTenant();
    const operation = operationAnswering({ type: "object", required: ["id"] });
    const body = {
      ...itemWith({
        response: { json: { id: 5 } },
        assertions: [
          { source: "statusCode", comparison: "equals", target: 201 },
          { source: "jsonPath", property: "$.id", comparison: "equals", target: 5 },
        ],
        checks: ["response_schema_conformance"],
        captures: [{ name: "id", source: "jsonPath", property: "$.id" }],
      }),
      operation,
    };
    const judgement = requireAnswer(await client.judgeResponse({ body }), "judge");
    expect(judgement.verdict).toBe("failed");
    expect(judgement.verifications.map((one) => [one.source, one.outcome])).toEqual([
      ["statusCode", "failed"],
      ["jsonPath", "passed"],
      ["response_schema_conformance", "passed"],
    ]);
    expect(judgement.captured).toEqual({ id: "5" });
  });

  test(`${engine.name}: a response is judged by what is known of it, its status at least`, async () => {
    const { client } = await world.createTenant();
    const judge = async (body: Parameters<typeof client.judgeResponse>[0]["body"]) => {
      const { verdict, verifications } = requireAnswer(await client.judgeResponse({ body }), "judge");
      return [verdict, ...verifications.map(({ source, outcome }) => `${source} ${outcome}`)];
    };
    const operation = operationAnswering({ type: "object", required: ["id"] });
    const headers: [string, string][] = [["content-type", "application/json"]];
    expect(
      await judge({
        response: { status: 200, headers, body: '{"id":5}' },
        operation,
        assertions: [
          { source: "jsonPath", property: "$.id", comparison: "equals", target: 5 },
          { source: "bodySize", comparison: "equals", target: 8 },
        ],
        checks: ["response_schema_conformance", "missing_required_header", "unsupported_method", "ignored_auth"],
      }),
    ).toEqual([
      "passed",
      ...["jsonPath passed", "bodySize passed", "response_schema_conformance passed"],
      ...["missing_required_header skipped", "unsupported_method skipped", "ignored_auth skipped"],
    ]);
    const slow = { source: "responseTime" as const, comparison: "lessThan" as const, target: 9 };
    expect(await judge({ response: { status: 204 }, assertions: [slow] })).toEqual(["errored", "responseTime errored"]);
  });

  test(`${engine.name}: a batch is judged in its order, each item by its operation`, async () => {
    const { internal } = await world.createTenant();
    const schemas = [{ type: "object" }, { type: "array" }];
    const operations = Object.fromEntries(
      schemas.map((schema, index) => [`get /${index}`, operationAnswering(schema)]),
    );
    const { operation: _, ...item } = itemWith({ response: { json: {} }, checks: ["response_schema_conformance"] });
    const items = ["get /0", "get /1", undefined, "get /0"].map((operationKey) => ({ ...item, operationKey }));
    const answer = await internal.judgeExecutions({ body: { apiId: uuidv7(), operations, items } });
    const verdicts = requireAnswer(answer, "judge").items.map((one) => one.verifications[0]?.outcome);
    expect(verdicts).toEqual(["passed", "failed", "skipped", "passed"]);
  });

  test(`${engine.name}: coverage shows each documented response with its last verdict, in the document's order`, async () => {
    const tenant = await world.createTenant();
    const apiId = await tenant.registerApi(document);
    const run = (changes: Parameters<typeof countedExecution>[0]) => countedExecution({ apiId, ...changes });
    const last = run({ verdict: "failed", finishedAt: new Date("2026-03-10T11:00:00Z") });
    const notFound = run({ statusCode: 404, method: "GET" });
    const teapot = run({ statusCode: 418, path: "/pets", method: "post" });
    const earlier = run({ finishedAt: new Date("2026-03-10T10:00:00Z") });
    await tenant.count([last, notFound, teapot, run({ statusCode: null })]);
    await tenant.count([earlier]);
    const page = requireAnswer(await tenant.client.getCoverage({ params: { apiId }, query: {} }), "coverage");
    expect(page.items.map(({ operation }) => `${operation.method} ${operation.path}`)).toEqual([
      ...["get /pets", "post /pets"],
      "get /shops",
    ]);
    const [list, add] = page.items;
    expect(list?.responses).toEqual([
      {
        status: "200",
        verdict: "failed",
        executionId: last.id,
        testId: last.testId,
        finishedAt: "2026-03-10T11:00:00.000Z",
      },
      { ...list?.responses[1], status: "4XX", verdict: "passed", executionId: notFound.id },
      { status: "default", verdict: null, executionId: null, testId: null, finishedAt: null },
    ]);
    expect(add?.undocumented).toMatchObject([{ status: "418", executionId: teapot.id }]);

    const first = requireAnswer(
      await tenant.client.getCoverage({ params: { apiId }, query: { limit: 1 } }),
      "coverage",
    );
    expect(first.items).toHaveLength(1);
    const query = { limit: 2, cursor: first.nextCursor ?? undefined };
    const rest = requireAnswer(await tenant.client.getCoverage({ params: { apiId }, query }), "coverage");
    expect(rest.items.map(({ operation }) => operation.path)).toEqual(["/pets", "/shops"]);
    const tagged = await tenant.client.getCoverage({ params: { apiId }, query: { tag: "shops" } });
    expect(requireAnswer(tagged, "coverage").items).toHaveLength(1);
  });

  test(`${engine.name}: trends of a circle are those of its runs, and nobody else's circle has any`, async () => {
    const tenant = await world.createTenant();
    const testCircleId = uuidv7();
    world.circles.add(testCircleId);
    const finishedAt = new Date("2026-03-10T12:00:00Z");
    await tenant.count([
      countedExecution({ testCircleId, finishedAt }),
      countedExecution({ testCircleId, finishedAt, verdict: "failed" }),
      countedExecution({ testCircleId: uuidv7(), finishedAt }),
      countedExecution({ finishedAt }),
    ]);
    const trends = requireAnswer(await tenant.client.getTrends({ query: { testCircleId, range: "24h" } }), "trends");
    expect(trends).toMatchObject({ total: { executions: 2, passed: 1, passRate: 0.5 }, slowest: [], flakiest: [] });
    expect(await tenant.client.getTrends({ query: { testCircleId: uuidv7() } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: trends count every day of a zone, also those on which nothing ran`, async () => {
    const tenant = await world.createTenant();
    const [apiId, testId] = [uuidv7(), uuidv7()];
    const run = (finishedAt: string, changes: Parameters<typeof countedExecution>[0] = {}) =>
      countedExecution({ apiId, testId, finishedAt: new Date(finishedAt), ...changes });
    const unanswered = { verdict: "errored", responseMilliseconds: null, statusCode: null } as const;
    await tenant.count([
      run("2026-03-10T12:00:00Z", { responseMilliseconds: 100 }),
      run("2026-03-10T12:10:00Z", { responseMilliseconds: 200, verdict: "failed" }),
      run("2026-03-08T22:59:59Z", { ...unanswered, causeCode: "timeout" }),
      run("2026-03-08T22:59:59Z", { ...unanswered, verdict: "skipped", causeCode: "run_stopped" }),
      run("2026-02-08T22:59:59Z"),
      countedExecution({ verdict: "flaky" }),
    ]);
    const ask = async (query: Parameters<typeof tenant.client.getTrends>[0]) =>
      requireAnswer(await tenant.client.getTrends(query), "trends");
    const trends = await ask({ query: { range: "30d", apiId, timeZone: "Europe/Berlin" } });
    const nothing = { executions: 0, passed: 0, failed: 0, errored: 0, flaky: 0, p50: null, p95: null, p99: null };
    const unknown = { passRate: null, availability: null, flakiness: null };
    expect(trends.points).toHaveLength(30);
    expect(trends.points.slice(-4)).toEqual([
      { ...nothing, ...unknown, from: "2026-03-06T23:00:00.000Z" },
      {
        ...nothing,
        ...{ from: "2026-03-07T23:00:00.000Z", executions: 1, errored: 1 },
        ...{ passRate: 0, availability: 0, flakiness: 1 },
      },
      { ...nothing, ...unknown, from: "2026-03-08T23:00:00.000Z" },
      {
        ...nothing,
        ...{ from: "2026-03-09T23:00:00.000Z", executions: 2, passed: 1, failed: 1 },
        ...{ passRate: 0.5, availability: 1, flakiness: 1 },
        ...{ p50: near(100), p95: near(200), p99: near(200) },
      },
    ]);
    expect(trends.total).toMatchObject({ executions: 3, passRate: 1 / 3, availability: 2 / 3, p50: near(100) });
    const hours = await ask({ query: { range: "24h", testId } });
    expect(hours.points).toHaveLength(24);
    expect(hours.points.at(-1)).toMatchObject({ from: "2026-03-10T12:00:00.000Z", executions: 2 });
    const stranger = await world.createTenant();
    const foreign = requireAnswer(await stranger.client.getTrends({ query: { apiId } }), "trends");
    expect(foreign.points.every((point) => point.executions === 0)).toBe(true);
    expect((await ask({ query: { range: "24h" } })).total).toMatchObject({ executions: 3, flaky: 1 });
  });

  test(`${engine.name}: a test whose answers have become slower is told so, with what is usual`, async () => {
    const tenant = await world.createTenant();
    const [apiId, testId] = [uuidv7(), uuidv7()];
    const noon = Date.parse("2026-03-10T12:00:00Z");
    await tenant.count(
      Array.from({ length: 60 }, (_, hours) =>
        countedExecution({
          ...{ apiId, testId, responseMilliseconds: hours < 6 ? 240 : 100 },
          finishedAt: new Date(noon - (hours + 1) * 3_600_000),
        }),
      ),
    );
    const { shift } = requireAnswer(await tenant.client.getTrends({ query: { testId } }), "trends");
    expect(shift).toMatchObject({ since: "2026-03-10T06:00:00.000Z", milliseconds: near(240), usual: near(100) });
    expect(requireAnswer(await tenant.client.getTrends({ query: { apiId } }), "trends").shift).toBeNull();
  });

  test(`${engine.name}: the slowest operations and those that change their verdict are named`, async () => {
    const tenant = await world.createTenant();
    const apiId = uuidv7();
    const runs = (path: string, milliseconds: number, verdicts: Verdict[]) => {
      const testId = uuidv7();
      return verdicts.map((verdict, index) =>
        countedExecution({
          ...{ apiId, testId, path, verdict, responseMilliseconds: milliseconds },
          finishedAt: new Date(`2026-03-10T10:0${index}:00Z`),
        }),
      );
    };
    await tenant.count([
      ...runs("/slow", 900, ["passed", "passed"]),
      ...runs("/flaky", 10, ["passed", "flaky"]),
      ...runs("/turning", 20, ["passed", "failed", "passed", "passed"]),
    ]);
    const trends = requireAnswer(await tenant.client.getTrends({ query: { apiId } }), "trends");
    expect(trends.slowest.map((one) => [one.path, one.p95])).toEqual([
      ["/slow", near(900)],
      ["/turning", near(20)],
      ["/flaky", near(10)],
    ]);
    expect(trends.flakiest.map((one) => [one.path, one.flakiness])).toEqual([
      ["/turning", 0.5],
      ["/flaky", 0.5],
    ]);
  });

  test(`${engine.name}: what the API registry refuses is refused`, async () => {
    const tenant = await world.createTenant();
    const stranger = await world.createTenant();
    const foreign = await stranger.registerApi(document);
    const body = { operations: [{ method: "get", path: "/pets" }] };
    for (const apiId of [foreign, uuidv7()]) {
      expect((await tenant.client.getCoverage({ params: { apiId }, query: {} })).status).toBe(404);
      expect((await tenant.client.suggestTests({ params: { apiId }, body })).status).toBe(404);
    }
    const broken = { params: { apiId: foreign }, query: { cursor: "nonsense" } };
    expect((await stranger.client.getCoverage(broken)).status).toBe(400);
    world.silenceApiRegistry(true);
    expect((await tenant.client.getCoverage({ params: { apiId: foreign }, query: {} })).status).toBe(503);
    expect((await tenant.client.suggestTests({ params: { apiId: foreign }, body })).status).toBe(503);
    world.silenceApiRegistry(false);
  });

  test(`${engine.name}: calls without token, scope, JSON or sense are refused`, async () => {
    const tenant = await world.createTenant();
    const nobody = world.connect();
    const reader = world.connect(world.tokenFor({ scopes: ["tests:read"] }));
    const runner = world.connect(world.tokenFor({ scopes: ["tests:run"] }));
    const item = itemWith();
    const params = { apiId: uuidv7() };
    const operations = [{ method: "get", path: "/" }];
    expect((await nobody.judgeResponse({ body: item })).status).toBe(401);
    expect((await nobody.getTrends({ query: {} })).status).toBe(401);
    expect((await reader.judgeResponse({ body: item })).status).toBe(403);
    expect((await runner.getTrends({ query: {} })).status).toBe(403);
    expect((await runner.getCoverage({ params, query: {} })).status).toBe(403);
    expect((await runner.suggestTests({ params, body: { operations } })).status).toBe(403);
    expect((await runner.listVerifications({ params: { executionId: uuidv7() } })).status).toBe(403);
    // What services say to each other is not there for anybody else.
    const batch = { apiId: uuidv7(), operations: {}, items: [] };
    expect((await tenant.client.judgeExecutions({ body: batch })).status).toBe(404);

    expect((await tenant.client.getTrends({ query: { timeZone: "Nowhere" } })).status).toBe(400);
    expect((await tenant.client.listVerifications({ params: { executionId: "x" } })).status).toBe(400);
    const many = { operations: Array.from({ length: 101 }, () => ({ method: "get", path: "/" })) };
    expect((await tenant.client.suggestTests({ params, body: many })).status).toBe(422);
    const send = (type: string, text: string) =>
      world.service.app.request("http://service.internal/api/v1/verifications", {
        method: "POST",
        headers: { authorization: `Bearer ${tenant.token}`, "content-type": type },
        body: text,
      });
    expect((await send("application/json", "{")).status).toBe(400);
    expect((await send("application/json", "{}")).status).toBe(422);
    expect((await send("text/plain", "{}")).status).toBe(415);
    expect((await send("application/json", `{"a":"${"x".repeat(20 * 1_048_576)}"}`)).status).toBe(413);
  });
}
