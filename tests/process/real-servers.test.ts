import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { createAlertmanager, createAuthServer, type ForeignServer } from "../support/foreign-servers.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { runBySchedule } from "../support/scheduled-runs.ts";

const password = "turquoise-herring-4711";

let portal: PostgresPortal;
let backend: PortalBackend;
let alertmanager: Awaited<ReturnType<typeof createAlertmanager>>;
let authServer: ForeignServer;
let hook: Target;
beforeAll(async () => {
  [alertmanager, authServer] = await Promise.all([createAlertmanager(), createAuthServer()]);
  [portal, hook] = await Promise.all([
    startPostgresPortal(),
    startTarget((_, response) => void response.writeHead(204).end()),
    alertmanager.start(),
    authServer.start(),
  ]);
  backend = await signInToBackend(portal);
});
afterAll(async () => {
  await portal.stop();
  await hook.close();
  await Promise.all([alertmanager.stop(), authServer.stop()]);
  alertmanager.remove();
});

/** Registers an API and creates the suggested tests of its document, changed per operation; returns their ids. */
async function createTests(
  source: { url: string } | { document: string },
  operations: Record<string, Partial<Omit<TestInput, "request">> & { request?: Partial<TestInput["request"]> }>,
): Promise<Record<string, string>> {
  const registered = requireValue(await backend.apiRegistry.registerApi({ body: { source } }), "registering");
  const params = { apiId: registered.id };
  const result = await backend.testAnalyzer.suggestTests({ params, query: { limit: 200 }, body: {} });
  const suggested = new Map(
    requireValue(result, "suggesting").items.map((one) => [`${one.test.method} ${one.test.path}`, one]),
  );
  const ids: Record<string, string> = {};
  for (const [operation, { request, ...changes }] of Object.entries(operations)) {
    const { test: made, gaps } = suggested.get(operation)!;
    if (!request) expect([operation, gaps]).toEqual([operation, []]);
    const body = { ...made, ...changes, request: { ...made.request, ...request } };
    ids[operation] = requireValue(await backend.testRegistry.createTest({ params, body }), operation).id;
  }
  return ids;
}

function getPhase(operation: string): CirclePhase {
  if (operation === "post /sign-up/email") return "setUp";
  return operation.includes("delete") ? "tearDown" : "main";
}

/** Alertmanager's silences, written with a name that only an account of Better Auth has. */
async function createCircle(): Promise<string> {
  const signedIn = { headers: [{ name: "Authorization", value: "Bearer {{token}}", enabled: true }] };
  const json = (value: object) => ({ body: { kind: "json" as const, text: JSON.stringify(value) } });
  const accounts = await createTests(
    { url: `http://${authServer.host}/api/auth/open-api/generate-schema` },
    {
      "post /sign-up/email": {
        // Documented with a bearer token, which nobody has before.
        request: {
          ...json({ name: "Ada", email: "{{$uuid}}@example.org", password: "{{password}}" }),
          authorization: { kind: "none" },
        },
        captures: [
          { name: "token", source: "jsonPath", property: "$.token", secret: true },
          { name: "userId", source: "jsonPath", property: "$.user.id" },
        ],
      },
      "get /list-sessions": { request: signedIn },
      "post /delete-user": { request: { ...signedIn, ...json({ password: "{{password}}" }) } },
    },
  );
  const silenced = { request: { pathParameters: [{ name: "silenceID", value: "{{silenceId}}", enabled: true }] } };
  const alerts = await createTests(
    { document: alertmanager.document },
    {
      "post /silences": {
        request: json({
          matchers: [{ name: "service", value: "orders", isRegex: false }],
          startsAt: "{{$isoTimestamp}}",
          endsAt: "2099-01-01T00:00:00Z",
          createdBy: "{{userId}}",
          comment: "Deployment",
        }),
        captures: [{ name: "silenceId", source: "jsonPath", property: "$.silenceID" }],
      },
      "get /silence/{silenceID}": {
        ...silenced,
        assertions: [{ source: "jsonPath", property: "$.createdBy", comparison: "equals", target: "{{userId}}" }],
      },
      "get /status": {},
      "get /receivers": {},
      "get /alerts": {},
      "get /alerts/groups": {},
      "get /silences": {},
      "delete /silence/{silenceID}": silenced,
    },
  );
  const members = Object.entries({ ...accounts, ...alerts }).map(([operation, testId]) => ({
    testId,
    phase: getPhase(operation),
  }));
  const variables = [{ name: "password", value: password, secret: true }];
  const created = await backend.testRegistry.createCircle({
    // Better Auth refuses requests that change something with a cookie and without an Origin.
    body: { name: "Real servers", members, variables, cookies: false },
  });
  return requireValue(created, "creating the circle").id;
}

/** The webhook's deliveries so far, each signature verified by the standard's own library; waits for this many. */
async function waitForAlerts(secret: string, count: number) {
  await expect.poll(() => hook.requests.length).toBeGreaterThanOrEqual(count);
  return hook.requests.map(({ text, headers }) => {
    const body = new Webhook(secret).verify(text, headers as Record<string, string>);
    return body as { type: string; data: { title: string; incidents: { failing: number; tests: unknown[] }[] } };
  });
}

test("two third-party servers: imported, tested by a schedule, broken, reported once, and recovered", async () => {
  const channel = await backend.testAnalyzer.createChannel({
    body: { kind: "webhook", name: "Hook", enabled: true, url: hook.baseUrl },
  });
  const { id: channelId, ...made } = requireValue(channel, "creating the channel");
  const secret = "secret" in made ? made.secret! : "";
  const rule = { scope: { kind: "organization" as const }, channelIds: [channelId] };
  requireValue(await backend.testAnalyzer.createRule({ body: rule }), "creating the rule");
  const testCircleId = await createCircle();
  const run = () => runBySchedule(backend, portal.database.url, testCircleId);

  const well = await run();
  expect(well.firstFailures.map(({ testName, reason }) => [testName, reason])).toEqual([]);
  expect(well).toMatchObject({ verdict: "passed", trigger: "schedule", counts: { passed: 11 } });

  await alertmanager.stop();
  const broken = await run();
  expect(broken).toMatchObject({ verdict: "errored", counts: { passed: 3, skipped: 1 } });
  // Seven of eight: there is no silence to remove.
  const title = `${alertmanager.host} is not reachable`;
  const [opened] = await waitForAlerts(secret, 1);
  expect(opened).toMatchObject({ type: "incident.opened", data: { title, incidents: [{ failing: 7 }] } });
  const incidents = await backend.testAnalyzer.listIncidents({ query: {} });
  expect(requireValue(incidents, "incidents").items).toMatchObject([
    { title, cause: { kind: "host", host: alertmanager.host }, failing: 7, runId: broken.id, state: "opened" },
  ]);

  await alertmanager.start();
  expect(await run()).toMatchObject({ verdict: "passed", counts: { passed: 11 } });
  expect((await waitForAlerts(secret, 2)).map(({ type, data }) => [type, data.title])).toEqual([
    ["incident.opened", title],
    ["incident.resolved", `Resolved: ${title}`],
  ]);
  // Tear-down has left nothing behind.
  const left = (await (await fetch(`http://${alertmanager.host}/api/v2/silences`)).json()) as {
    status: { state: string };
  }[];
  expect(left.filter(({ status }) => status.state === "active")).toEqual([]);
});
