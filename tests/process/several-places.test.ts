import { afterAll, beforeAll, expect, test } from "vitest";
import type { CirclePlaces } from "#contracts/test-registry/circle-places.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { respondJson, startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { type AgentAtWork, createLocation, createTests, registerAgent } from "../support/agent-at-work.ts";
import { runAssurance } from "../support/command-line.ts";
import { reportFigure } from "../support/endurance.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let backend: PortalBackend;
let target: Target;
let agent: AgentAtWork;
let locationId: string;
let testId: string;
let access: Record<string, string>;

/** What stands between Berlin and the API refuses agents, and lets the portal through. */
const isBroken = { value: true };

beforeAll(async () => {
  target = await startTarget(async (request, response) => {
    const isAgent = String(request.headers["user-agent"]).includes("agent");
    await respondJson({}, isAgent && isBroken.value ? 503 : 200)(request, response);
  });
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "warn" } });
  backend = await signInToBackend(portal);
  locationId = await createLocation(backend, "Berlin");
  [testId = ""] = await createTests(backend, target.baseUrl, 1);
  agent = await registerAgent(backend, portal.origin, locationId);
  agent.start([], [target.host]);
  const body = { name: "Shell", scopes: ["tests:read", "tests:run", "apis:read"] as const };
  const { token } = requireValue(
    await backend.securityService.createApiToken({ body: { ...body, scopes: [...body.scopes] } }),
    "a token",
  );
  access = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: token };
});
afterAll(async () => {
  await agent?.stop();
  await portal?.stop();
  await target?.close();
});

async function createCircle(name: string, rule: Pick<CirclePlaces, "rule">) {
  const places = { portal: true, locationIds: [locationId], ...rule };
  const body = { name, members: [{ testId }], places };
  return requireValue(await backend.testRegistry.createCircle({ body }), "a circle").id;
}
async function run(circle: string) {
  const ended = await runAssurance(["run", "--circle", circle], { environment: access });
  reportFigure(`$ assurance run --circle "${circle}"\n${ended.stdout}exit code ${ended.code}`);
  return ended;
}
const listIncidents = async () =>
  requireValue(await backend.testAnalyzer.listIncidents({ query: { state: "unresolved" } }), "incidents").items;

test("a fault that only an agent's network sees is regional where all places have to fail, and passes", async () => {
  await createCircle("Both have to fail", { rule: "all" });
  const { code, stdout } = await run("Both have to fail");
  expect(code).toBe(0);
  expect(stdout).toContain("1 passed, 1 regional");
  expect(stdout).toContain("Regional: Expected status code 200, got 503.");
  expect(stdout).toContain("Test 0, from Berlin");
  expect(await listIncidents()).toEqual([]);
});

test("where one place is enough it fails, and its incident says which places see it", async () => {
  await createCircle("One is enough", { rule: "any" });
  const { code, stdout } = await run("One is enough");
  expect(code).toBe(1);
  expect(stdout).toContain("1 passed, 1 failed");
  await expect.poll(async () => (await listIncidents()).length, { timeout: 60_000 }).toBe(1);
  const [incident] = await listIncidents();
  reportFigure(JSON.stringify({ title: incident!.title, reason: incident!.reason, places: incident!.places }, null, 2));
  expect(incident!.places).toEqual([
    { locationId: null, name: "the portal", state: "passing", since: null },
    { locationId, name: "Berlin", state: "failing", since: expect.any(String) },
  ]);
  isBroken.value = false;
  expect((await run("One is enough")).code).toBe(0);
  await expect.poll(async () => (await listIncidents()).length, { timeout: 60_000 }).toBe(0);
});
