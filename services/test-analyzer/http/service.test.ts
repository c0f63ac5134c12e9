import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemWith, operationAnswering } from "#libraries/judging/testing/items.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
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

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
  beforeAll(async () => {
    world = await createTestAnalyzerWorld(engine);
  });
  afterAll(() => world.close());

  test(`${engine.name}: a response is judged and nothing is stored`, async () => {
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
    const judgement = requireValue(await client.judgeResponse({ body }), "judge");
    expect(judgement.verdict).toBe("failed");
    expect(judgement.verifications.map((one) => [one.source, one.outcome])).toEqual([
      ["statusCode", "failed"],
      ["jsonPath", "passed"],
      ["response_schema_conformance", "passed"],
    ]);
    expect(judgement.captured).toEqual({ id: "5" });
  });

  test(`${engine.name}: targets in the JSON of a request are compared and returned with every digit`, async () => {
    const { client } = await world.createTenant();
    const judge = async (body: string, target: string) => {
      const response = JSON.stringify({ status: 200, headers: [["content-type", "application/json"]], body });
      const assertion = `{"source":"jsonPath","property":"$.v","comparison":"equals","target":${target}}`;
      const rawBody = `{"response":${response},"assertions":[${assertion}]}`;
      const headers = { "content-type": "application/json" };
      const judgement = requireValue(await client.judgeResponse({ rawBody, headers } as never), "judge");
      return judgement.verifications[0]!;
    };
    expect(await judge('{"v":9007199254740993}', "9007199254740993")).toMatchObject({ outcome: "passed" });
    expect(await judge('{"v":9007199254740993}', "9007199254740992")).toMatchObject({
      outcome: "failed",
      message: "$.v: expected 9007199254740992, found 9007199254740993.",
      actualJson: "9007199254740993",
    });
    expect(await judge('{"v":2936.23380448434092597}', "2936.233804484341")).toMatchObject({ outcome: "failed" });
    expect(await judge('{"v":1}', "1.0")).toMatchObject({ outcome: "passed", targetJson: "1.0" });
  });

  test(`${engine.name}: a response is judged by what is known about it, at least its status`, async () => {
    const { client } = await world.createTenant();
    const judge = async (body: Parameters<typeof client.judgeResponse>[0]["body"]) => {
      const { verdict, verifications } = requireValue(await client.judgeResponse({ body }), "judge");
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

  test(`${engine.name}: a batch is judged in order, each item by its operation`, async () => {
    const { internal } = await world.createTenant();
    const schemas = [{ type: "object" }, { type: "array" }];
    const operations = Object.fromEntries(
      schemas.map((schema, index) => [`get /${index}`, operationAnswering(schema)]),
    );
    const { operation: _, ...item } = itemWith({ response: { json: {} }, checks: ["response_schema_conformance"] });
    const items = ["get /0", "get /1", undefined, "get /0"].map((operationKey) => ({ ...item, operationKey }));
    const result = await internal.judgeExecutions({ body: { apiId: uuidv7(), operations, items } });
    const verdicts = requireValue(result, "judge").items.map((one) => one.verifications[0]?.outcome);
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
    const page = requireValue(await tenant.client.getCoverage({ params: { apiId }, query: {} }), "coverage");
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
        superseded: false,
      },
      { ...list?.responses[1], status: "4XX", verdict: "passed", executionId: notFound.id },
      { status: "default", verdict: null, executionId: null, testId: null, finishedAt: null, superseded: false },
    ]);
    expect(add?.undocumented).toMatchObject([{ status: "418", executionId: teapot.id }]);

    const first = requireValue(await tenant.client.getCoverage({ params: { apiId }, query: { limit: 1 } }), "coverage");
    expect(first.items).toHaveLength(1);
    const query = { limit: 2, cursor: first.nextCursor ?? undefined };
    const rest = requireValue(await tenant.client.getCoverage({ params: { apiId }, query }), "coverage");
    expect(rest.items.map(({ operation }) => operation.path)).toEqual(["/pets", "/shops"]);
    const tagged = await tenant.client.getCoverage({ params: { apiId }, query: { tag: "shops" } });
    expect(requireValue(tagged, "coverage").items).toHaveLength(1);
  });

  test(`${engine.name}: problems of the API registry are passed on`, async () => {
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

  test(`${engine.name}: calls without a token, scope, JSON or valid input are refused`, async () => {
    const tenant = await world.createTenant();
    const anonymous = world.connect();
    const reader = world.connect(world.tokenFor({ scopes: ["tests:read"] }));
    const runner = world.connect(world.tokenFor({ scopes: ["tests:run"] }));
    const item = itemWith();
    const params = { apiId: uuidv7() };
    const operations = [{ method: "get", path: "/" }];
    expect((await anonymous.judgeResponse({ body: item })).status).toBe(401);
    expect((await anonymous.getTrends({ query: {} })).status).toBe(401);
    expect((await reader.judgeResponse({ body: item })).status).toBe(403);
    expect((await runner.getTrends({ query: {} })).status).toBe(403);
    expect((await runner.getCoverage({ params, query: {} })).status).toBe(403);
    expect((await runner.suggestTests({ params, body: { operations } })).status).toBe(403);
    expect((await runner.listVerifications({ params: { executionId: uuidv7() } })).status).toBe(403);
    // Internal operations are not available to other callers.
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
