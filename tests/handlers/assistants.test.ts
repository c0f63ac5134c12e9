import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { connectAssistant, createToken } from "../support/assistant-client.ts";
import { type AssistedOrders, assistantAddress, openAssistedOrders, reading } from "../support/assisted-orders.ts";
import { portalOrigin } from "../support/handled-services.ts";

let orders: AssistedOrders;
let apiId: string;
let testId: string;
beforeAll(async () => {
  orders = await openAssistedOrders();
  ({ apiId, testId } = orders);
});
afterAll(() => orders.close());

test.each([["newest"], ["2025"]] as const)(
  "a client of the %s revision lists the tools and calls one",
  async (revision) => {
    const token = await createToken(orders.services.backend, reading);
    const { client, read } = await connectAssistant(assistantAddress, token, {
      fetch: orders.services.askAsAssistant,
      revision,
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["find_apis", "find_operations", "describe_operation", "list_tests", "read_test", "list_runs", "explain_run"],
      ...["list_incidents", "explain_incident", "validate_document", "run_tests", "propose_test"],
    ]);
    for (const { name, description, annotations, outputSchema } of tools) {
      expect(description?.length, name).toBeGreaterThan(40);
      expect(annotations?.destructiveHint, name).not.toBe(true);
      expect(outputSchema, name).toMatchObject({ required: ["summary", "notice", "data"] });
    }
    // A model reads it all before its first word.
    expect(JSON.stringify(tools).length).toBeLessThan(32_000);
    const { apis } = await read<{ apis: object[] }>("find_apis", { query: "orders" });
    expect(apis).toMatchObject([
      { id: apiId, name: "Orders", operationCount: 2, lastVerdicts: { passed: 1, failed: 0 } },
    ]);
  },
);

test("operations are searched and described with what they refer to", async () => {
  const { operations } = await orders.assistant.read("find_operations", { apiId, query: "listOrders" });
  expect(operations).toMatchObject([{ method: "get", path: "/orders", operationId: "listOrders" }]);
  const described = await orders.assistant.read("describe_operation", { apiId, method: "get", path: "/orders" });
  expect(described).toMatchObject({
    operation: { operationId: "listOrders", responses: [{ status: "200" }] },
    components: { "#/components/schemas/Order": { type: "object" } },
    omittedComponents: [],
  });
});

test("tests are listed and read, with their results and what they would notice", async () => {
  expect(await orders.assistant.read("list_tests", { apiId })).toMatchObject({
    tests: [{ id: testId, name: "Lists orders", last: { verdict: "passed" } }],
  });
  expect(await orders.assistant.read("read_test", { testId })).toMatchObject({
    test: { name: "Lists orders", assertions: [{ property: "$.currency" }] },
    lastResults: [{ verdict: "passed" }],
    notices: { state: "found", cannotFail: false },
    page: `${portalOrigin}/test-management/${apiId}/tests/${testId}/edit`,
  });
});

test("a failed run is explained: the reason, since when, and what changed", async () => {
  orders.setCurrency("USD");
  const [runId] = [await orders.runTest(), await orders.runTest()];
  orders.setCurrency("EUR");
  const { runs } = await orders.assistant.read<{ runs: object[] }>("list_runs", { apiId, verdict: "failed" });
  expect(runs).toHaveLength(2);
  const explained = await orders.assistant.read("explain_run", { runId });
  expect(explained).toMatchObject({
    run: { verdict: "failed", counts: { failed: 1 } },
    failures: [
      {
        ...{ testId, reason: expect.stringContaining("USD"), failingForRuns: 1, failingForLonger: false },
        lastPassed: { statusCode: 200 },
        changedSince: {
          response: expect.arrayContaining(["body"]),
          differences: [{ pointer: "/currency", before: '"EUR"', after: '"USD"' }],
        },
      },
    ],
    moreFailures: false,
  });
  expect((await orders.assistant.call("explain_run", { runId })).summary).toBe(
    "The run ended as failed: 1 of 1 execution did not pass.",
  );
});

test("an assistant runs what is safe, and nothing that may change data", async () => {
  const { testRegistry } = orders.services.backend;
  const body = {
    name: "Adds an order",
    method: "post",
    path: "/orders",
    request: {},
    checks: ["not_a_server_error" as const],
  };
  const unsafe = requireValue(await testRegistry.createTest({ params: { apiId }, body }), "test");
  const running = await orders.connect(orders.services.backend, [...reading, "tests:run"]);
  const before = orders.target.requests.length;
  expect(await running.read("run_tests", { apiId })).toMatchObject({
    run: { verdict: "passed", counts: { passed: 1, leftOut: 1 }, trigger: "api" },
  });
  expect(await running.read("run_tests", { testIds: [testId] })).toMatchObject({ run: { verdict: "passed" } });
  for (const testIds of [[unsafe.id], [testId, unsafe.id]]) {
    const refused = await running.call("run_tests", { testIds });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("A person can run it in the portal"),
    });
  }
  expect((await running.call("run_tests", {})).text).toBe("Pass either apiId or testIds.");
  expect(await orders.assistant.call("run_tests", { apiId })).toMatchObject({ isError: true });
  expect(orders.target.requests.slice(before).map(({ method }) => method)).toEqual(["GET", "GET"]);
  requireValue(
    await testRegistry.deleteTest({ params: { testId: unsafe.id }, headers: { "if-match": '"1"' } }),
    "deleting",
  );
});

test("a document is validated without being registered", async () => {
  const checking = await orders.connect(orders.services.backend, ["apis:read", "apis:write"]);
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Half" }, paths: {} });
  const found = await checking.read("validate_document", { document });
  expect(found).toMatchObject({
    title: "Half",
    problems: expect.arrayContaining([expect.objectContaining({ line: 1 })]),
  });
  expect((await checking.read<{ apis: object[] }>("find_apis")).apis).toHaveLength(1);
  const refused = await orders.assistant.call("validate_document", { document });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("lacks the required scope") });
});

test("an API, its document and a run are resources, and what is no id is none", async () => {
  const { client } = orders.assistant;
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([{ uri: `assurance://apis/${apiId}`, name: "Orders" }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    ...["assurance://apis/{id}", "assurance://apis/{id}/document", "assurance://runs/{id}"],
  ]);
  const readText = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
  expect((await readText(`assurance://apis/${apiId}`)).text).toContain('"name": "Orders"');
  expect((await readText(`assurance://apis/${apiId}/document`)).text).toContain("listOrders");
  const [run] = (await orders.assistant.read<{ runs: { id: string }[] }>("list_runs")).runs;
  expect((await readText(`assurance://runs/${run!.id}`)).text).toContain("The run ");
  await expect(readText("assurance://apis/..%2f..%2fusers")).rejects.toThrow();
});

test("an incident is explained: its cause, its tests with their reasons, and why no one was notified", async () => {
  orders.setCurrency("USD");
  await orders.runTest();
  orders.setCurrency("EUR");
  const list = () => orders.assistant.read<{ incidents: { id: string; title: string }[] }>("list_incidents");
  await expect.poll(async () => (await list()).incidents).toHaveLength(1);
  const [{ id: incidentId } = { id: "" }] = (await list()).incidents;
  expect(await orders.assistant.read("explain_incident", { incidentId })).toMatchObject({
    incident: { id: incidentId, cause: expect.stringContaining("This test"), state: "opened", failing: 1 },
    tests: [{ testId, reason: expect.stringContaining("USD"), method: "get", path: "/orders" }],
    notNotifiedBecause: expect.any(String),
    page: `${portalOrigin}/test-management/incidents/${incidentId}`,
  });
  const unknown = await orders.assistant.call("explain_incident", { incidentId: testId });
  expect(unknown.isError).toBe(true);
});
