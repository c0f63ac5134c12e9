import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const document = {
  paths: {
    "/pets/{ids}": {
      get: {
        parameters: [
          {
            name: "ids",
            in: "path",
            required: true,
            style: "label",
            schema: { type: "array", items: { type: "integer" } },
          },
          { name: "filter", in: "query", style: "deepObject", explode: true, schema: { type: "object" } },
        ],
        security: [{ key: [] }],
        responses: {
          "200": {
            description: "a pet",
            content: {
              "application/json": {
                schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
              },
            },
          },
        },
      },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "token" } } },
};

const [engine] = testEngines();
let world: ExecutionWorld;
let target: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await engine.open(), { withAnalyzer: true });
  target = await startTarget(respondJson({ name: "Rex" }));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

test("request and judgement follow the document: styles, security schemes, schemas", async () => {
  const tenant = await world.createTenant(target.baseUrl, document);
  const credentialId = await tenant.createCredential({
    name: "key",
    domain: target.host,
    type: "apiKey",
    settings: { in: "header", parameterName: "X-Other" },
    secret: "documented-secret",
  });
  const { id } = await tenant.createTest({
    path: "/pets/{ids}",
    request: {
      pathParameters: [{ name: "ids", value: "[1,2]" }],
      query: [{ name: "filter", value: '{"a":1}' }],
      authorization: { kind: "credentials", bindings: [{ schemeName: "key", credentialId }] },
    } as never,
    assertions: [{ source: "jsonPath", property: "$.name", comparison: "equals", target: "Rex" }],
    checks: ["status_code_conformance", "response_schema_conformance"],
  });
  const passed = await tenant.run(id);
  expect(passed).toMatchObject({ verdict: "passed" });
  expect(target.requests.at(-1)!.url).toBe("/pets/.1,2?filter%5Ba%5D=1&token=documented-secret");
  expect(passed.attempts[0]!.request!.url).toContain("token=[secret]");

  target.answer(respondJson({ name: 7 }, 201));
  const failed = await tenant.run(id);
  expect(failed).toMatchObject({ verdict: "failed", statusCode: 201 });
  const client = world.testAnalyzer({ token: tenant.token });
  const { items } = requireValue(await client.listVerifications({ params: { executionId: failed.id } }), "list");
  const outcomes = Object.fromEntries(items.map(({ source, outcome }) => [source, outcome]));
  expect(outcomes).toMatchObject({ jsonPath: "failed", status_code_conformance: "failed" });
});

test("tests of a hundred operations load them together, and not again in the next run", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `/things${index}/{id}`,
      {
        get: {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { "200": { description: "ok" } },
        },
      },
    ]),
  );
  target.answer(respondJson({}));
  const tenant = await world.createTenant(target.baseUrl, { paths });
  for (let index = 0; index < 100; index += 1) {
    await tenant.createTest({
      name: `t${index}`,
      path: `/things${index}/{id}`,
      request: { pathParameters: [{ name: "id", value: String(index) }] } as never,
      checks: ["status_code_conformance"],
    });
  }
  const runAll = async () =>
    requireValue(
      await toTheEnd(tenant.client).runTestsOfApi({ params: { apiId: tenant.apiId }, body: {} }),
      "run",
    ).items.map(({ verdict }) => verdict);
  expect(new Set(await runAll())).toEqual(new Set(["passed"]));
  const before = world.registryCalls.findOperations;
  expect(before).toBeLessThan(30);
  expect(new Set(await runAll())).toEqual(new Set(["passed"]));
  expect(world.registryCalls.findOperations).toBe(before);
});
