import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { apiRegistryContract } from "../../services/api-registry/contract/contract.ts";
import { connectTo, requireAnswer } from "../../services/kit/client/client.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { securityServiceContract } from "../../services/security-service/contract/contract.ts";
import { testExecutionerContract } from "../../services/test-executioner/contract/contract.ts";
import { testRegistryContract } from "../../services/test-registry/contract/contract.ts";
import { backendOf, type PortalBackend, registerApi } from "../support/portal-backend.ts";
import { signInForToken } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };

let place: string;
let targetApi: TargetApi;
let database: TestDatabase;
let started: Program[];

beforeAll(async () => {
  targetApi = await startTargetApi();
});
afterAll(() => targetApi.stop());
beforeEach(async () => {
  started = [];
  place = mkdtempSync(join(tmpdir(), "portal-processes-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const program of started) await program.kill();
  await database.drop();
  rmSync(place, { recursive: true, force: true });
});

function start(path: string, environment: Record<string, string> = {}): Program {
  const program = startProgram(path, {
    DATABASE_URL: database.url,
    DATA_DIRECTORY: join(place, `data-${started.length}`),
    SECRETS_KEY: "one key for all processes of this installation",
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

/** A test of the bookshop's price, which its document promises as a number and the shop answers as text. */
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
  return requireAnswer(created, "creating the test").id;
}

test("a run asked for at one process is done by another on the same database", async () => {
  const portal = start(serverProgram, { RUN: "portal" });
  const origin = await portal.says(/portal is ready at (\S+)/);
  const backend = backendOf(origin, await signInForToken({ origin, ...administrator }));
  const testId = await createPriceTest(backend, await registerApi(backend, targetApi.documentUrl));
  const run = requireAnswer(await backend.testExecutioner.runTest({ params: { testId }, body: {} }), "running");
  const read = async () =>
    requireAnswer(await backend.testExecutioner.getExecution({ params: { executionId: run.id } }), "reading");
  await pause(1_500);
  expect((await read()).state).toBe("queued");

  const worker = start(serverProgram, { RUN: "worker" });
  const workerOrigin = await worker.says(/The worker is ready at (\S+)/);
  expect(worker.output()).not.toContain("Sign in");
  expect((await ask(workerOrigin, "/actuator/health")).status).toBe(200);
  expect((await ask(workerOrigin, "/login")).status).toBe(404);
  while ((await read()).state !== "finished") await pause(50);
  expect((await read()).verdict).toBe("failed");

  const waited = await backend.testExecutioner.runTest({ params: { testId }, query: { wait: 30 }, body: {} });
  expect(waited).toMatchObject({ ok: true, value: { state: "finished", verdict: "failed" } });
  await endAll();
  // With the key and the first password given, nothing is left on the processes' own disks.
  expect(readdirSync(place)).toEqual([]);
});

test("the main job runs over HTTP when every service is a process of its own", async () => {
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
  const { id: apiId } = requireAnswer(registered, "registering");
  const testId = await createPriceTest({ testRegistry }, apiId);
  const run = await testExecutioner.runTest({ params: { testId }, query: { wait: 30 }, body: {} });
  expect(run).toMatchObject({ ok: true, value: { state: "finished", verdict: "failed" } });

  const cookie = await signInForCookies(origin, administrator);
  const list = await ask(origin, "/api-management/list", { headers: { cookie } });
  expect(list).toMatchObject({ status: 200, text: expect.stringContaining("Bookshop") });
  const { id: executionId } = requireAnswer(run, "running");
  const verifications = `/test-management/${apiId}/tests/${testId}/executions/${executionId}/verifications`;
  const page = await ask(origin, verifications, { headers: { cookie } });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining("$.amount") });
  // Nothing of theirs is this process's to serve.
  expect((await ask(origin, "/api/api-registry/api/v1/apis")).status).toBe(404);
  await endAll();
});

/** Free a moment ago; every service is told where all others will be. */
async function listFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function signInOverHttp(securityServiceUrl: string): Promise<string> {
  const securityService = connectTo(securityServiceContract, { baseUrl: securityServiceUrl })();
  const signedIn = await securityService.login({
    headers: { username: administrator.username, password: administrator.password },
  });
  return requireAnswer(signedIn, "signing in").accessToken;
}

test("a service alone says which address it misses", async () => {
  const program = start("build/process/services/test-registry/main.js");
  expect(await program.ended).toBe(1);
  expect(program.output()).toBe("SECURITY_SERVICE_URL is needed to run test-registry alone.\n");
});
