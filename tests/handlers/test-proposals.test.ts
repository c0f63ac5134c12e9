import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type AssistantClient, connectAssistant, createToken } from "../support/assistant-client.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { portalOrigin } from "../support/handled-services.ts";
import { registerApi } from "../support/portal-backend.ts";

let portal: HandledPortal;
let target: Target;
let visitor: Visitor;
let assistant: AssistantClient;
let apiId: string;
let page: string;

const connect = async (scopes: Scope[]) =>
  await connectAssistant(`${portalOrigin}/mcp`, await createToken(portal.backend, scopes), {
    fetch: portal.askAsAssistant,
  });

beforeAll(async () => {
  [portal, target] = await Promise.all([openHandledPortal(), startTarget(() => {})]);
  visitor = await portal.signIn();
  const responses = { 200: { description: "ok" } };
  target.answer(({ url }, response) => {
    const described = {
      ...{ openapi: "3.0.3", info: { title: "Orders", version: "1" }, servers: [{ url: target.baseUrl }] },
      paths: { "/orders": { get: { responses } }, "/never-run": { get: { responses } } },
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(url === "/openapi.json" ? described : { currency: "EUR", lines: [{ sku: "a-1" }] }));
  });
  apiId = await registerApi(portal.backend, `${target.baseUrl}/openapi.json`);
  page = `/test-management/${apiId}/tests/proposals`;
  assistant = await connect(["apis:read", "tests:read", "tests:propose"]);
});
afterAll(async () => {
  await portal.stop();
  await target.close();
});

const status = { source: "statusCode", comparison: "equals", target: 200 } as const;
const currency = { source: "jsonPath", property: "$.currency", comparison: "equals", target: "EUR" } as const;
const draft = (name: string, given: object = {}) => ({ name, method: "get", path: "/orders", request: {}, ...given });

async function makePassedTest(name: string): Promise<string> {
  const { testRegistry, testExecutioner } = portal.backend;
  const body = draft(name, { assertions: [status] });
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId }, body }), "test");
  requireValue(await toTheEnd(testExecutioner).runTest({ params: { testId }, body: {} }), "running");
  return testId;
}

const getTest = async (testId: string) => await portal.backend.testRegistry.getTest({ params: { testId } });

test("G02: an assistant's change of a test waits, shows that it can fail, and is made once a person accepts it", async () => {
  const testId = await makePassedTest("Lists orders");
  const proposed = await assistant.read<{ proposalId: string; page: string }>("propose_test", {
    ...{ apiId, testId, reason: "The currency matters to <customers>." },
    test: draft("Lists orders", { assertions: [status, currency] }),
  });
  expect(proposed).toMatchObject({
    canFail: true,
    findings: expect.stringMatching(/^It can fail: it catches \d+ of \d+ changes/),
    differences: [{ part: "Assertions", removed: [], added: ['JSONPath $.currency equals "EUR"'] }],
    page: portalOrigin + page,
  });
  expect(requireValue(await getTest(testId), "test").assertions).toEqual([status]);

  expect((await visitor.open(`/test-management/${apiId}/tests`)).text).toContain("1 proposed test");
  const shown = await visitor.open(page);
  expect(shown.text).toContain("Change: Lists orders");
  expect(shown.text).toContain("The currency matters to <customers>.");
  expect(shown.text).toMatch(/Proposed by Administrator, API token “Assistant \d+”/);
  expect(shown.rows("Assertions")[0]).toContain('JSONPath $.currency equals "EUR"');
  const accepted = await shown.submit("Accept the proposal for Lists orders");
  expect(accepted.text).toContain("Lists orders was changed as proposed.");
  expect(accepted.text).toContain("No proposals");
  expect(requireValue(await getTest(testId), "test")).toMatchObject({ assertions: [status, currency], version: 2 });
});

test("a new test is created once it is accepted, and a rejected one never", async () => {
  await assistant.read("propose_test", { apiId, test: draft("A new one", { assertions: [status] }) });
  await assistant.read("propose_test", { apiId, test: draft("Unwanted", { assertions: [status] }) });
  const { testRegistry } = portal.backend;
  const list = async () =>
    requireValue(await testRegistry.listTests({ params: { apiId }, query: {} }), "tests").items.map(({ name }) => name);
  expect(await list()).not.toContain("A new one");
  const shown = await visitor.open(page);
  expect(shown.text).toContain("New test: A new one");
  await shown.submit("Accept the proposal for A new one");
  const rejected = await (await visitor.open(page)).submit("Reject the proposal for Unwanted");
  expect(rejected.text).toContain("The proposal for Unwanted was rejected.");
  const names = await list();
  expect([names.includes("A new one"), names.includes("Unwanted")]).toEqual([true, false]);
});

test("what would pass whatever comes, or has no recorded response, is marked", async () => {
  const blind = { assertions: [{ source: "responseTime", comparison: "lessThan", target: 100_000 }] };
  const results = [
    await assistant.read("propose_test", { apiId, test: draft("Blind", blind) }),
    await assistant.read("propose_test", { apiId, test: { ...draft("Unseen", blind), path: "/never-run" } }),
  ];
  expect(results).toMatchObject([
    { canFail: false, findings: expect.stringContaining("it would pass with all") },
    { canFail: false, findings: expect.stringContaining("there is no recorded response") },
  ]);
  const shown = await visitor.open(page);
  expect(shown.text.match(/Not proven to fail/g)?.length).toBeGreaterThanOrEqual(2);
  await shown.submit("Reject the proposal for Blind");
  await (await visitor.open(page)).submit("Reject the proposal for Unseen");
});

test("a proposal for a test that was changed since says so, compares with it as it is, and loses to a later change", async () => {
  const testId = await makePassedTest("Contested");
  await assistant.read("propose_test", { apiId, testId, test: draft("Contested", { assertions: [currency] }) });
  const change = async (tags: string[]) => {
    const body = draft("Contested", { assertions: [status], tags });
    requireValue(await portal.backend.testRegistry.changeTest({ params: { testId }, body }), "changing");
  };
  await change(["mine"]);
  const shown = await visitor.open(page);
  expect(shown.text).toContain("The test was changed since this was proposed");
  expect(shown.rows("Tags")[0]).toContain("mine");
  await change(["mine", "again"]);
  const refused = await shown.submit("Accept the proposal for Contested");
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("The test was changed in the meantime");
  expect(requireValue(await getTest(testId), "test").tags).toEqual(["mine", "again"]);
  await (await visitor.open(page)).submit("Accept the proposal for Contested");
  expect(requireValue(await getTest(testId), "test")).toMatchObject({ tags: [], assertions: [currency] });
  expect((await refused.submit("Reject the proposal for Contested")).text).toContain("decided already");
});

test("a proposal is decided by signed-in people who may change tests, never by a token", async () => {
  const { proposalId } = await assistant.read<{ proposalId: string }>("propose_test", {
    ...{ apiId, test: draft("Guarded", { assertions: [status] }) },
  });
  const { testRegistry } = portal.backend;
  const program = await portal.backend.asProgram(["tests:read", "tests:write", "tests:propose"]);
  const params = { proposalId };
  const byToken = [
    await program.testRegistry.acceptTestProposal({ params, body: { testVersion: null } }),
    await program.testRegistry.rejectTestProposal({ params }),
  ];
  expect(byToken).toMatchObject([
    { status: 403, problem: { detail: expect.stringContaining("signed-in person") } },
    { status: 403, problem: { detail: expect.stringContaining("signed-in person") } },
  ]);
  const viewer = await joinAs(portal, "VIEWER");
  const shown = await viewer.open(page);
  expect(shown.text).toContain("New test: Guarded");
  expect(shown.text).not.toContain("Accept");
  expect((await viewer.post(page, { proposalId, decision: "accept" })).status).toBe(403);
  const stored = await testRegistry.getTestProposal({ params: { proposalId } });
  expect(requireValue(stored, "proposal").state).toBe("open");
});

test("a token without the scope can't propose, and a faulty draft is refused at its fields", async () => {
  const reader = await connect(["apis:read", "tests:read"]);
  expect(await reader.call("propose_test", { apiId, test: draft("No") })).toMatchObject({
    isError: true,
    text: expect.stringContaining("lacks the required scope"),
  });
  const wrong = { ...draft("Wrong"), assertions: [{ source: "jsonPath", property: "$[", comparison: "exists" }] };
  expect(await assistant.call("propose_test", { apiId, test: wrong })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/test\.assertions\[0\]\.property/),
  });
});

test("a proposal goes with its test", async () => {
  const testId = await makePassedTest("Short-lived");
  const { proposalId } = await assistant.read<{ proposalId: string }>("propose_test", {
    ...{ apiId, testId, test: draft("Short-lived", { assertions: [currency] }) },
  });
  const { testRegistry } = portal.backend;
  expect((await testRegistry.deleteTest({ params: { testId } })).status).toBe(204);
  expect((await testRegistry.getTestProposal({ params: { proposalId } })).status).toBe(404);
});
