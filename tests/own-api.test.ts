import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Api, ApiSummary } from "#contracts/api-registry/apis.ts";
import type { Inspection } from "#contracts/api-registry/documents.ts";
import type { Payment } from "#contracts/portal-service/payments.ts";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import type { CreatedApiToken } from "#contracts/security-service/api-tokens.ts";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertDelivery } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import type { Run, RunSummary } from "#contracts/test-executioner/runs.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { MaintenanceWindow } from "#contracts/test-registry/maintenance-windows.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { productVersion } from "../cli/version.ts";
import { contracts } from "../server/contracts.ts";
import { type OwnPortal, openOwnPortal } from "./support/own-portal.ts";

let portal: OwnPortal;
beforeAll(async () => {
  portal = await openOwnPortal();
});
afterAll(() => portal.close());

const call: OwnPortal["call"] = (...given) => portal.call(...given);

/** Starts a run and polls, with the same key, until it has ended. */
async function runToTheEnd(body: object, headers: Record<string, string> = {}): Promise<RunSummary> {
  const key = { "idempotency-key": randomUUID() };
  for (;;) {
    const run = await call<RunSummary>("POST", `${runner}/runs?wait=30`, body, { ...key, ...headers });
    if (run.state === "finished") return run;
  }
}

const registry = "/api/api-registry/api/v1";
const runner = "/api/test-executioner/api/v1";
const getDocument = (service: string) => ({ url: `${portal.origin}/api/${service}/openapi.json` });

test.each(Object.keys(contracts))("%s's description is imported without a problem", async (service) => {
  const found = await call<Inspection>("POST", `${registry}/documents/inspect`, getDocument(service));
  expect([found.usable, found.problems]).toEqual([true, []]);
});

/** The values of path parameters, by name. */
async function makeWorld(): Promise<(parameter: string, path: string) => string> {
  const credential = {
    domain: new URL(portal.origin).host,
    type: "bearer",
    settings: {},
    secret: portal.token,
    name: "This portal",
  };
  const { id: credentialId } = await call<Test>("POST", "/api/security-service/api/v1/credentials", credential);
  const bound = { domain: credential.domain, schemeName: "shopKey", credentialId };
  const configs = "/api/security-service/api/v1/authorization-configs";
  const { id: authorizationConfigId } = await call<{ id: string }>("POST", configs, bound);
  const invited = { emails: ["ada@example.com"], roles: ["VIEWER"] };
  const { items } = await call<{ items: { id: string }[] }>(
    "POST",
    "/api/security-service/api/v1/users/invite",
    invited,
  );
  const email = await portal.mail.newest("ada@example.com");
  const invitationToken = /token=([\w-]+)/.exec(email.text ?? "")?.[1] as string;
  const users = await call<{ items: { id: string }[] }>("GET", "/api/security-service/api/v1/users");
  const notifications = await call<{ id: string }[]>("GET", "/api/portal-service/api/v1/notifications");

  const webhooks = {
    newPet: { post: { operationId: "told", summary: "Told", responses: { 204: { description: "Done" } } } },
  };
  const responses = { 200: { description: "Done" } };
  const paths = {
    "/actuator/info": { get: { operationId: "ask", responses } },
    "/actuator/{part}": { get: { operationId: "askPart", responses } },
  };
  const described = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths, webhooks };
  const source = { document: JSON.stringify(described) };
  const baseUrl = `${portal.origin}/api/test-registry`;
  const { id: apiId } = await call<ApiSummary>("POST", `${registry}/apis`, { source, baseUrl });
  const { document } = await call<Api>("GET", `${registry}/apis/${apiId}`);
  const simple = {
    ...{ name: "Ask", method: "get", path: "/actuator/info", checks: ["not_a_server_error"] },
    request: { authorization: { kind: "none" } },
  };
  const { id: testId } = await call<Test>("POST", `/api/test-registry/api/v1/apis/${apiId}/tests`, simple);
  const proposals = `/api/test-registry/api/v1/apis/${apiId}/test-proposals`;
  const { id: proposalId } = await call<{ id: string }>("POST", proposals, { test: { ...simple, name: "Draft" } });
  const applications = "/api/test-registry/api/v1/code/applications";
  const { id: applicationId } = await call<{ id: string }>("POST", applications, { objects: [] });
  const { sha256 } = await call<{ sha256: string }>("POST", "/api/test-registry/api/v1/files", {});
  const circle = { name: "Daily", members: [{ testId }] };
  const { id: testCircleId } = await call<Circle>("POST", "/api/test-registry/api/v1/test-circles", circle);
  const daily = { cron: "@daily", timeZone: "Europe/Berlin" };
  const schedules = `/api/test-registry/api/v1/test-circles/${testCircleId}/schedules`;
  const { id: scheduleId } = await call<Schedule>("POST", schedules, daily);
  const times = { kind: "repeating", cron: "0 2 * * 6", timeZone: "Europe/Berlin", durationMinutes: 60 };
  const windows = "/api/test-registry/api/v1/maintenance-windows";
  const { id: maintenanceWindowId } = await call<MaintenanceWindow>("POST", windows, { name: "Weekly", times });
  const calendar = await call<{ token: string }>("POST", "/api/test-registry/api/v1/calendar");
  const { id: runId } = await runToTheEnd({ source: { tests: [testId] } });
  const explorations = `${runner}/apis/${apiId}/explorations`;
  const { id: explorationId } = await call<{ id: string }>("POST", explorations, { maxRequests: 10 });
  const { id: locationId } = await call<{ id: string }>("POST", `${runner}/locations`, { name: "Office" });
  const { code } = await call<{ code: string }>("POST", `${runner}/locations/${locationId}/agent-codes`);
  const keys = getPublicKeys(await createAgentKeys());
  const joining = { code, name: "host", version: productVersion, ...keys };
  const { agentId } = await call<{ agentId: string }>("POST", `${runner}/agents`, joining);
  const { members } = await call<Run>("GET", `${runner}/runs/${runId}`);
  const analyzer = "/api/test-analyzer/api/v1";
  const { id: markId } = await call<{ id: string }>("POST", `${analyzer}/marks`, { name: "Pets 2.4.0", apiId });
  const circles = `${analyzer}/test-circles/${testCircleId}`;
  await call("PUT", `${circles}/service-level`, { objective: 99.5, days: 30 });
  const ran = await runToTheEnd({ source: { testCircleId } });
  const subscriptions = "/api/portal-service/api/v1/portal-subscriptions";
  const { id: subscriptionId, approveUrl } = await call<Subscription>("POST", subscriptions, { serviceId: "team" });
  await portal.sandbox.decide(approveUrl!, "approve");
  await call("POST", `${subscriptions}/${subscriptionId}/ask`);
  const payments = await call<{ items: Payment[] }>("GET", "/api/portal-service/api/v1/payments");
  // It is unsigned, and refused deliveries are listed, too.
  await fetch(`${portal.origin}/api/portal-service/api/v1/paypal/webhooks`, { method: "POST", body: "{}" });
  const deliveries = "/api/portal-service/api/v1/system/paypal-deliveries";
  const [delivery] = (await call<{ items: { id: string }[] }>("GET", deliveries)).items;
  const reconciliations = "/api/portal-service/api/v1/system/reconciliations";
  const { id: reconciliationId } = await call<{ id: string }>("POST", reconciliations);
  const values: Record<string, string | undefined> = {
    ...{
      paymentDeliveryId: delivery?.id,
      subscriptionId,
      serviceId: "team",
      reconciliationId,
      paymentId: payments.items[0]?.id,
      apiId,
      testId,
      applicationId,
      kind: "test",
      objectId: testId,
      proposalId,
      testCircleId,
      scheduleId,
      maintenanceWindowId,
      markId,
      calendarToken: calendar.token,
      testCircleExecutionId: ran.id,
      runId,
      explorationId,
      ...{ locationId, agentId },
      credentialId,
      authorizationConfigId,
      documentId: document.id,
      executionId: members.items[0]?.executionId,
    },
    ...{ invitationId: items[0]?.id, userId: users.items[0]?.id, notificationId: notifications[0]?.id },
    ...(await makeAlerts(apiId)),
    ...{
      token: invitationToken,
      sha256,
      domain: new URL(portal.origin).host,
      code: "DE",
      pathName: "/actuator/info",
      webhookName: "newPet",
      resourceKey: "/actuator/{}",
    },
  };
  return (parameter, path) => {
    if (parameter === "method") return path.includes("/webhooks/") ? "post" : "get";
    const value = values[parameter];
    if (value === undefined) throw new Error(`Nothing stands for {${parameter}} in ${path}`);
    return value;
  };
}

const analyzer = "/api/test-analyzer/api/v1";

/** A channel with its rule, a delivery, and an incident. */
async function makeAlerts(apiId: string) {
  const webhook = { kind: "webhook", name: "Hook", url: `${portal.origin}/actuator/health` };
  const { id: channelId } = await call<AlertChannel>("POST", `${analyzer}/alert-channels`, webhook);
  const rule = { scope: { kind: "api", apiId }, channelIds: [channelId] };
  const { id: ruleId } = await call<AlertRule>("POST", `${analyzer}/alert-rules`, rule);
  const { id: deliveryId } = await call<AlertDelivery>("POST", `${analyzer}/alert-channels/${channelId}/test`);
  const teapot = { source: "statusCode", comparison: "equals", target: 418 };
  const broken = { name: "Brew", method: "get", path: "/actuator/info", request: {}, assertions: [teapot] };
  const { id: testId } = await call<Test>("POST", `/api/test-registry/api/v1/apis/${apiId}/tests`, broken);
  // What a signed-in user starts is manual, and opens no incident.
  const newToken = { name: "Nightly build", scopes: ["tests:run", "tests:read"] };
  const { token: apiToken } = await call<CreatedApiToken>("POST", "/api/security-service/api/v1/api-tokens", newToken);
  await runToTheEnd({ source: { tests: [testId] } }, { authorization: `Bearer ${apiToken}` });
  for (;;) {
    const [incident] = (await call<{ items: IncidentSummary[] }>("GET", `${analyzer}/incidents`)).items;
    if (incident) return { channelId, ruleId, deliveryId, incidentId: incident.id };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A suggested test with existing ids in its path. */
function filled(suggested: TestInput, standsFor: (parameter: string, path: string) => string): TestInput {
  const pathParameters = suggested.request.pathParameters.map(({ name }) => ({
    ...{ name, enabled: true },
    value: standsFor(name, suggested.path),
  }));
  return { ...suggested, request: { ...suggested.request, pathParameters } };
}

test("the portal passes the tests that it suggests for its own read operations", async () => {
  const standsFor = await makeWorld();
  const failed: string[] = [];
  let passed = 0;
  for (const service of Object.keys(contracts)) {
    const { id: apiId } = await call<ApiSummary>("POST", `${registry}/apis`, { source: getDocument(service) });
    const suggestions = `/api/test-analyzer/api/v1/apis/${apiId}/suggestions?limit=200`;
    const { items } = await call<{ items: Suggestion[] }>("POST", suggestions, {});
    for (const { test: suggested } of items) {
      if (suggested.method !== "get") continue;
      await call("POST", `/api/test-registry/api/v1/apis/${apiId}/tests`, filled(suggested, standsFor));
    }
    const run = await runToTheEnd({ source: { apiId, include: "safe" } });
    const { members } = await call<Run>("GET", `${runner}/runs/${run.id}?limit=200`);
    for (const { path, verdict, reason } of members.items) {
      if (verdict === "passed") passed += 1;
      else failed.push(`${service} ${path}: ${verdict} ${reason}`);
    }
  }
  expect(failed).toEqual([]);
  expect(passed).toBe(readOperations());
});

/** All documented GETs, health and info of each service included. */
function readOperations(): number {
  const read = Object.values(contracts)
    .flatMap((contract) => Object.values(contract))
    .filter(({ method, access }) => method === "get" && access !== "internal");
  return read.length + 2 * Object.keys(contracts).length;
}
