import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { issueServiceToken } from "../../services/kit/identity/identity.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { deriveKey } from "../../services/kit/vault/vault.ts";
import { respondJson, startTarget } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { listFreePorts } from "../support/free-ports.ts";
import { type PortalBackend, registerApi, signInToBackend } from "../support/portal-backend.ts";
import { signInForToken } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const secretsKey = "one key for all processes of this installation";
const administrator = { username: "admin", password: "correct-horse-battery" };

let location: string;
let targetApi: TargetApi;
let database: TestDatabase;
let started: Program[];

beforeAll(async () => {
  targetApi = await startTargetApi();
});
afterAll(() => targetApi.stop());
beforeEach(async () => {
  started = [];
  location = mkdtempSync(join(tmpdir(), "portal-processes-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const program of started) await program.kill();
  await database.drop();
  rmSync(location, { recursive: true, force: true });
});

function start(path: string, environment: Record<string, string> = {}): Program {
  const program = startProgram(path, {
    DATABASE_URL: database.url,
    DATA_DIRECTORY: join(location, `data-${started.length}`),
    SECRETS_KEY: secretsKey,
    ADMIN_PASSWORD: administrator.password,
    EGRESS_ALLOW: "loopback",
    LOG_LEVEL: "info",
    ...environment,
  });
  started.push(program);
  return program;
}

async function endAll(): Promise<void> {
  for (const program of started) program.process.kill("SIGTERM");
  expect(await Promise.all(started.map((program) => program.ended))).toEqual(started.map(() => 0));
}

/** A test of the bookshop's price, which its document promises as a number and the shop returns as text. */
async function createPriceTest(backend: Pick<PortalBackend, "testRegistry">, apiId: string): Promise<string> {
  const created = await backend.testRegistry.createTest({
    params: { apiId },
    body: {
      name: "The price is a number",
      method: "GET",
      path: "/books/{bookId}/price",
      request: { pathParameters: [{ name: "bookId", value: "1" }] },
      assertions: [{ source: "jsonPath", property: "$.amount", comparison: "hasType", target: "number" }],
    },
  });
  return requireValue(created, "creating the test").id;
}

test("a run requested at one process is executed by another on the same database", async () => {
  const portal = start(serverProgram, { RUN: "portal" });
  const origin = await portal.says(/portal is ready at (\S+)/);
  const backend = await signInToBackend({ origin, ...administrator });
  const testId = await createPriceTest(backend, await registerApi(backend, targetApi.documentUrl));
  const run = requireValue(await backend.testExecutioner.runTest({ params: { testId }, body: {} }), "running");
  const read = async () =>
    requireValue(await backend.testExecutioner.getExecution({ params: { executionId: run.id } }), "reading");
  await pause(1_500);
  expect((await read()).state).toBe("queued");

  const worker = start(serverProgram, { RUN: "worker" });
  const workerOrigin = await worker.says(/The worker is ready at (\S+)/);
  expect(worker.output()).not.toContain("Sign in");
  expect((await ask(workerOrigin, "/actuator/health")).status).toBe(200);
  expect((await ask(workerOrigin, "/login")).status).toBe(404);
  while ((await read()).state !== "finished") await pause(50);
  expect((await read()).verdict).toBe("failed");

  const waited = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
  expect(waited).toMatchObject({ ok: true, value: { state: "finished", verdict: "failed" } });
  await theRunIsFollowed(origin, backend);
  await endAll();
  // With the key and the first password configured, nothing is stored on the processes' own disks.
  expect(readdirSync(location)).toEqual([]);
});

/** Its page receives each member while the next one is in progress in the other process. */
async function theRunIsFollowed(origin: string, backend: PortalBackend): Promise<void> {
  const target = await startTarget(respondJson({}));
  const { waiting } = target.hold();
  const paths = { "/": { get: { responses: { 200: { description: "Done" } } } } };
  const servers = [{ url: target.baseUrl }];
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Held", version: "1" }, servers, paths });
  const registered = await backend.apiRegistry.registerApi({ body: { source: { document } } });
  const { id: apiId } = requireValue(registered, "registering");
  const created = await backend.testRegistry.createTest({
    params: { apiId },
    body: {
      name: "Waits",
      method: "GET",
      path: "/",
      request: {},
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
      data: [{ number: "1" }, { number: "2" }],
    },
  });
  const { id: testId } = requireValue(created, "creating the test");
  const body = { source: { tests: [testId] }, order: "sequential" as const };
  const { id: runId } = requireValue(await backend.testExecutioner.startRun({ body }), "starting");
  const headers = { cookie: await signInForCookies(origin, administrator) };
  const page = await fetch(`${origin}/test-management/${apiId}/runs/${runId}/events`, { headers });
  const reader = page.body!.pipeThrough(new TextDecoderStream()).getReader();
  let metrics = "";
  const hear = async (what: RegExp) => {
    while (!what.test(metrics)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The events ended without ${what}:\n${metrics}`);
      metrics += value;
    }
  };
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()!();
  await hear(/"position":1,[^}]*"verdict":"passed"/);
  await expect.poll(() => waiting.length).toBe(1);
  expect(metrics).not.toMatch(/"position":2,[^}]*"verdict":"passed"/);
  waiting.shift()!();
  await hear(/"state":"finished"[^\n]*"passed":2/);
  await target.close();
}

test("the main job runs over HTTP when every service is a separate process", async () => {
  const names = [
    "security-service",
    "portal-service",
    "api-registry",
    "test-registry",
    "test-analyzer",
    "test-executioner",
  ];
  const ports = await listFreePorts(names.length);
  const urls = Object.fromEntries(
    names.map((name, index) => [`${name.toUpperCase().replace("-", "_")}_URL`, `http://127.0.0.1:${ports[index]}`]),
  );
  for (const [index, name] of names.entries()) {
    const program = start(`build/process/services/${name}/main.js`, {
      ...urls,
      PORT: String(ports[index]),
      PUBLIC_URL: "https://portal.example.com",
    });
    await program.says(/"port":\d+,"msg":"ready"/);
  }
  const portal = start(serverProgram, { RUN: "portal", ...urls });
  const origin = await portal.says(/portal is ready at (\S+)/);

  const token = await signInOverHttp(urls.SECURITY_SERVICE_URL!);
  const apiRegistry = connectTo(apiRegistryContract, { baseUrl: urls.API_REGISTRY_URL! })({ token });
  const testRegistry = connectTo(testRegistryContract, { baseUrl: urls.TEST_REGISTRY_URL! })({ token });
  const testExecutioner = connectTo(testExecutionerContract, { baseUrl: urls.TEST_EXECUTIONER_URL! })({ token });
  const registered = await apiRegistry.registerApi({ body: { source: { url: targetApi.documentUrl } } });
  const { id: apiId } = requireValue(registered, "registering");
  const testId = await createPriceTest({ testRegistry }, apiId);
  const run = await toTheEnd(testExecutioner).runTest({ params: { testId }, body: {} });
  expect(run).toMatchObject({ ok: true, value: { state: "finished", verdict: "failed" } });

  const cookie = await signInForCookies(origin, administrator);
  const list = await ask(origin, "/api-management/list", { headers: { cookie } });
  expect(list).toMatchObject({ status: 200, text: expect.stringContaining("Bookshop") });
  const { id: executionId } = requireValue(run, "running");
  const verifications = `/test-management/${apiId}/tests/${testId}/executions/${executionId}/verifications`;
  const page = await ask(origin, verifications, { headers: { cookie } });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining("$.amount") });
  await theGatewayAnswers(origin, urls.SECURITY_SERVICE_URL!);
  await requireFigures(origin, urls.TEST_EXECUTIONER_URL!);
  await endAll();
});

/** The public API is the same whether its services run in the portal's process or elsewhere. */
async function theGatewayAnswers(origin: string, securityServiceUrl: string): Promise<void> {
  const token = await signInForToken({ origin, ...administrator });
  const headers = { authorization: `Bearer ${token}`, "x-request-id": "gateway-test-1" };
  const list = await ask(origin, "/api/api-registry/api/v1/apis", { headers });
  expect(list).toMatchObject({ status: 200, headers: { "x-request-id": "gateway-test-1" } });
  expect(JSON.parse(list.text).items).toHaveLength(1);
  expect((await ask(origin, "/api/api-registry/api/v1/apis")).status).toBe(401);
  expect((await ask(origin, "/api/test-analyzer/openapi.json")).status).toBe(200);
  expect((await ask(origin, "/api/test-executioner/actuator/health")).status).toBe(200);

  // Internal calls are not exposed, in any spelling and with any token.
  const service = await issueServiceToken(deriveKey(secretsKey, "service tokens"), "portal", randomUUID());
  const asService = { headers: { authorization: `Bearer ${service}` } };
  const internal = "internal/v1/access-changes?since=0";
  expect((await ask(securityServiceUrl, `/${internal}`, asService)).status).toBe(200);
  for (const path of [internal, `./${internal}`, `x/../${internal}`, `/${internal}`, internal.replace("i", "%69")]) {
    expect((await ask(origin, `/api/security-service/${path}`, asService)).status).toBe(404);
  }

  // A body that is no document, larger than any JSON body may be: it is streamed to the handler.
  const padding = "x".repeat(3_000_000);
  const inspected = await ask(origin, "/api/api-registry/api/v1/documents/inspect", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ source: { text: padding } }),
  });
  expect(inspected.status).not.toBe(413);
  expect(inspected.status).toBeLessThan(500);
}

/** Route patterns, never paths; queue lengths; and health with the dependencies of a process. */
async function requireFigures(origin: string, executionerUrl: string): Promise<void> {
  const figures = await ask(origin, "/metrics");
  expect(figures.headers["content-type"]).toMatch(/^application\/openmetrics-text/);
  expect(figures.text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/api-registry/api/v1/apis",status="200"} 1',
  );
  expect(figures.text).toMatch(/route="\/test-management\/:apiId\/tests\/:testId\/executions\/[^"]*",status="200"/);
  expect(figures.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  // Quantiles belong to a summary: a gauge with them is refused by promtool.
  expect(figures.text).toContain("# TYPE nodejs_eventloop_delay_seconds summary\n");
  expect(figures.text.endsWith("# EOF\n")).toBe(true);
  expect((await ask(origin, "/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } })).status).toBe(404);
  expect((await ask(origin, "/metrics", { headers: { host: "portal.example.com" } })).status).toBe(404);
  const { text } = await ask(executionerUrl, "/metrics");
  expect(text).toContain('executions_total{verdict="failed"} 1');
  expect(text).toContain("execution_queue_waiting 0");
  expect(text).toContain("# TYPE event_deliveries_parked gauge");

  // A service that is too busy to respond in time is reported as down until it does.
  const health = async () => JSON.parse((await ask(origin, "/actuator/health")).text);
  await expect.poll(health).toMatchObject({
    status: "UP",
    components: {
      database: { status: "UP", required: true },
      listener: { status: "UP" },
      queue: { status: "UP" },
      "test-executioner": { status: "UP", required: false },
    },
  });
}

async function signInOverHttp(securityServiceUrl: string): Promise<string> {
  const securityService = connectTo(securityServiceContract, { baseUrl: securityServiceUrl })();
  const signedIn = await securityService.login({
    headers: { username: administrator.username, password: administrator.password },
  });
  return requireValue(signedIn, "signing in").accessToken;
}

test("a separate service names the address that it lacks", async () => {
  const program = start("build/process/services/test-registry/main.js");
  expect(await program.ended).toBe(1);
  expect(program.output()).toBe("SECURITY_SERVICE_URL is needed to run test-registry alone.\n");
});
