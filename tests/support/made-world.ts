import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { furnishLocation } from "./furnished-location.ts";
import { createBackend, createRunnerToken } from "./portal-backend.ts";
import { type RunningPortal, signInForToken } from "./portal-process.ts";
import type { TargetApi } from "./target-api.ts";

export interface MadeWorld {
  apiId: string;
  testId: string;
  executionId: string;
  runId: string;
  /** Ended. */
  explorationId: string;
  credentialId: string;
  authorizationConfigId: string;
  /** The administrator's. */
  userId: string;
  invitationId: string;
  circleId: string;
  circleRunId: string;
  scheduleId: string;
  statusAddress: string;
  /** Open, of the circle's run. */
  incidentId: string;
  maintenanceWindowId: string;
  channelId: string;
  deliveryId: string;
  locationId: string;
  /** Of the location; it never calls. */
  agentId: string;
}

/** An API with a failed test, its incident and a credential, made through the public API because the pages are not the subject. */
export async function makeWorld(portal: RunningPortal, targetApi: TargetApi): Promise<MadeWorld> {
  const token = await signInForToken(portal);
  const authorization = `Bearer ${token}`;
  const backend = createBackend(portal.origin, token);
  const runner = toTheEnd(backend.testExecutioner);
  async function ask<Value>(path: string, options: RequestInit = {}): Promise<Value> {
    const headers = { authorization, "content-type": "application/json" };
    const response = await fetch(`${portal.origin}/api/${path}`, { headers, ...options });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Value;
  }
  const post = <Value>(path: string, body: unknown) => ask<Value>(path, { method: "POST", body: JSON.stringify(body) });
  const api = await post<{ id: string }>("api-registry/api/v1/apis", {
    source: { url: targetApi.documentUrl },
    tags: ["books"],
  });
  const operation = { method: "get", path: "/books/{bookId}/price" };
  const suggestions = await post<{ items: { test: unknown }[] }>(`test-analyzer/api/v1/apis/${api.id}/suggestions`, {
    operations: [operation],
  });
  const test = await post<{ id: string }>(`test-registry/api/v1/apis/${api.id}/tests`, suggestions.items[0]?.test);
  const draft = {
    test: { ...(suggestions.items[0]?.test as object), name: "Drafted price" },
    reason: "It is missing.",
  };
  await post(`test-registry/api/v1/apis/${api.id}/test-proposals`, { ...draft, testId: test.id });
  const execution = requireValue(await runner.runTest({ params: { testId: test.id } }), "running the test");
  const credential = await post<{ id: string }>("security-service/api/v1/credentials", {
    name: `Shop key ${api.id}`,
    // Not the target's domain, since other tests send requests to the target, too.
    domain: "127.0.0.1:1",
    type: "apiKey",
    settings: { in: "header", parameterName: "X-Shop-Key" },
    secret: "open-sesame-4711",
  });
  const config = await post<{ id: string }>("security-service/api/v1/authorization-configs", {
    domain: "127.0.0.1:1",
    schemeName: `shopKey ${api.id}`,
    credentialId: credential.id,
  });
  const circle = await post<{ id: string }>("test-registry/api/v1/test-circles", {
    name: "Prices, every morning",
    members: [{ testId: test.id }, { kind: "selection", apiId: api.id }],
    variables: [
      { name: "shop", value: "1" },
      { name: "key", value: "open-sesame-4711", secret: true },
    ],
  });
  // A failure of a manual run opens no incident.
  const program = toTheEnd(createBackend(portal.origin, await createRunnerToken(backend)).testExecutioner);
  const asked = { params: { testCircleId: circle.id }, body: { trigger: "ci" as const } };
  const runCircle = async () => requireValue(await program.runCircle(asked), "running the circle");
  await runCircle();
  // The page that compares runs shows how much longer a run took than the previous one.
  targetApi.latency = 300;
  const circleRun = await runCircle();
  targetApi.latency = 0;
  const putOfCircle = <Value>(path: string, body: unknown) =>
    ask<Value>(`test-analyzer/api/v1/test-circles/${circle.id}/${path}`, { method: "PUT", body: JSON.stringify(body) });
  await putOfCircle("service-level", { objective: 99.5, days: 30 });
  const otherCircle = await post<{ id: string }>("test-registry/api/v1/test-circles", {
    ...{ name: "Orders, every morning", members: [{ testId: test.id }] },
  });
  await ask(`api-registry/api/v1/apis/${api.id}/document-watch`, {
    method: "PUT",
    body: JSON.stringify({ url: targetApi.documentUrl, everyMinutes: 60, action: "report" }),
  });
  const statusPage = await putOfCircle<{ address: string }>("status-page", {
    ...{ title: "Prices", message: "We look into it.", showsIncidents: true },
    components: [
      { testCircleId: circle.id, name: "Prices" },
      { testCircleId: otherCircle.id, name: "Orders" },
    ],
  });
  const schedule = await post<{ id: string }>(`test-registry/api/v1/test-circles/${circle.id}/schedules`, {
    // So rare that no test coincides with it.
    cron: "0 7 29 2 *",
    timeZone: "Europe/Berlin",
  });
  const channel = await post<{ id: string }>("test-analyzer/api/v1/alert-channels", {
    kind: "webhook",
    name: `On call ${api.id}`,
    // It receives nothing but the test delivery.
    enabled: false,
    url: `${targetApi.origin}/alerts`,
  });
  const delivery = await post<{ id: string }>(`test-analyzer/api/v1/alert-channels/${channel.id}/test`, {});
  await post("test-analyzer/api/v1/alert-rules", {
    scope: { kind: "api", apiId: api.id },
    channelIds: [channel.id],
    severities: [{ tag: "checkout", severity: "critical" }],
    quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" },
  });
  const explored = { maxRequests: 60, requestsPerSecond: 100 };
  const runnerPath = "test-executioner/api/v1";
  const exploration = await post<ExplorationSummary>(`${runnerPath}/apis/${api.id}/explorations`, explored);
  while (!(await ask<ExplorationSummary>(`${runnerPath}/explorations/${exploration.id}`)).finishedAt) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  let incidentId: string | undefined;
  while (!incidentId) {
    const incidents = await ask<{ items: { id: string }[] }>(`test-analyzer/api/v1/incidents?apiId=${api.id}`);
    incidentId = incidents.items[0]?.id;
  }
  const window = await post<{ id: string }>("test-registry/api/v1/maintenance-windows", {
    name: "Quarterly move",
    apiId: api.id,
    times: { kind: "repeating", cron: "0 7 28 2 *", timeZone: "Europe/Berlin", durationMinutes: 1_440 },
  });
  const { items: invited } = await post<{ items: { id: string }[] }>("security-service/api/v1/users/invite", {
    emails: [`somebody-${api.id}@example.com`],
    roles: ["VIEWER"],
  });
  const operators = await ask<{ items: { id: string }[] }>("security-service/api/v1/users?role=SYSTEM_ADMIN");
  const located = await furnishLocation(backend, `Berlin ${api.id.slice(-8)}`);
  return {
    userId: operators.items[0]!.id,
    invitationId: invited[0]!.id,
    apiId: api.id,
    testId: test.id,
    executionId: execution.id,
    runId: execution.runId,
    explorationId: exploration.id,
    credentialId: credential.id,
    authorizationConfigId: config.id,
    circleId: circle.id,
    circleRunId: circleRun.id,
    scheduleId: schedule.id,
    statusAddress: statusPage.address,
    incidentId,
    maintenanceWindowId: window.id,
    channelId: channel.id,
    deliveryId: delivery.id,
    ...located,
  };
}
