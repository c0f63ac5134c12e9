import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgentResult } from "#contracts/test-executioner/agent-work.ts";
import { productVersion } from "../../cli/version.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { passedResult, registerTestAgent } from "../../services/test-executioner/testing/agent.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let apiId: string;
let testId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  const made = await makeTests(portal.backend, targetApi);
  apiId = made.apiId;
  testId = made.testIds["Lists books"]!;
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const markup = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

/** With markup in every text. */
function spoil(value: unknown, stays: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => spoil(one, stays));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, stays.has(name) ? member : spoil(member, stays)]),
    );
  return typeof value === "string" ? markup : value;
}

test("G06: what a hostile agent reports is text on every page that shows it", async () => {
  const { testExecutioner } = portal.backend;
  const location = requireValue(await testExecutioner.createLocation({ body: { name: "Office" } }), "a location");
  const service = { app: { fetch: (request: Request) => portal.ask("test-executioner", request) } };
  const user = { user: testExecutioner } as unknown as Parameters<typeof registerTestAgent>[1];
  const agent = await registerTestAgent({ service }, user, location.id, { version: productVersion });
  const body = { source: { tests: [testId] }, locationId: location.id };
  const { id: runId } = requireValue(await testExecutioner.startRun({ body }), "run");
  const [task] = (await agent.take()).items;
  const phases = passedResult(task!).attempts[0]!.phases;
  const verification = { kind: "assertion", source: "a", property: "a", comparison: "a", target: "a", actual: "a" };
  const wrong = { outcome: "failed", passed: false, message: "a", pointer: "a" };
  const schemaErrors = [{ pointer: "a", schemaPointer: "a", message: "a", expected: "a", actual: "a" }];
  const result = spoil(
    {
      ...passedResult(task!),
      ...{ verdict: "failed", cause: { code: "a", detail: "a", phase: "a" } },
      verifications: [{ ...verification, ...wrong, schemaErrors }],
      captures: [{ name: "a", isSecret: false, value: "a" }],
      attempts: [
        {
          ...{ number: 1, startedAt: new Date().toISOString(), durationMilliseconds: 1, phases, verdict: "failed" },
          cause: { code: "a", detail: "a", phase: "a" },
          request: { method: "a", url: task!.baseUrls.find(Boolean), headers: [["a", "a"]], body: "a", bodyBytes: 1 },
          response: {
            ...{ url: task!.baseUrls.find(Boolean), status: 200, statusText: "a", httpVersion: "a" },
            ...{ headers: [["a", "a"]], body: "a", bodyPreview: "a", bodyBytes: 1, truncated: false },
            redirects: [{ url: "a", status: 302, location: "a" }],
          },
        },
      ],
    },
    new Set(["executionId", "fence", "verdict", "outcome", "kind", "startedAt", "finishedAt", "host", "url"]),
  ) as AgentResult;
  // Two of the addresses are read as such.
  const { redirects } = result.attempts[0]!.response!;
  redirects[0]!.url = `http://127.0.0.1/${markup}`;
  expect((await agent.report([result])).items).toMatchObject([{ outcome: "recorded" }]);
  const { executionId } = task!;
  const addresses = [
    `/test-management/${apiId}/runs/${runId}`,
    `/test-management/${apiId}/tests/${testId}/executions/${executionId}/results`,
    `/test-management/${apiId}/tests/${testId}/executions/${executionId}/verifications`,
    `/test-management/${apiId}/tests/${testId}/executions/list`,
    `/test-management/${apiId}/manage`,
    "/dashboard",
  ];
  let shown = 0;
  for (const address of addresses) {
    const { html, status } = await visitor.open(address);
    expect(status, address).toBe(200);
    expect(html, address).not.toMatch(/<script>alert|<img src=x/);
    if (html.includes("alert(1)")) shown += 1;
  }
  expect(shown).toBeGreaterThan(1);
});
