import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { listFreePorts } from "../support/free-ports.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { endWhenItSays, type Program, serverProgram, startProgram } from "../support/program.ts";
import { startTargetApi } from "../support/target-api.ts";

const otherServices = ["portal-service", "api-registry", "test-registry", "test-executioner", "test-analyzer"];
const administrator = { username: "admin", password: "correct-horse-battery" };

let database: TestDatabase;
let started: Program[];

beforeEach(async () => {
  started = [];
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const program of started) await program.kill();
  await database.drop();
});

const getVariable = (name: string) => `${name.toUpperCase().replace("-", "_")}_URL`;

function start(path: string, environment: Record<string, string>): Program {
  const program = startProgram(path, {
    DATABASE_URL: database.url,
    SECRETS_KEY: "one key for all processes of this installation",
    ADMIN_PASSWORD: administrator.password,
    PUBLIC_URL: "https://portal.example.com",
    EGRESS_ALLOW: "loopback",
    ...environment,
  });
  started.push(program);
  return program;
}

async function countApis(): Promise<number> {
  const opened = await openPostgresDatabase(database.url);
  const { rows } = await sql<{ count: string }>`select count(*) from api_registry.apis`.execute(opened.kysely);
  await opened.close();
  return Number(rows[0]!.count);
}

/** Starts api-registry separately. @param elsewhere where each of the others is, below its name */
function startApiRegistryAlone(elsewhere: string, environment: Record<string, string> = {}): Program {
  const others = ["security-service", ...otherServices].filter((name) => name !== "api-registry");
  return start("build/process/services/api-registry/main.js", {
    ...Object.fromEntries(others.map((name) => [getVariable(name), `${elsewhere}/${name}`])),
    ...environment,
  });
}

/** Stands in for all other services, each below its name, and records the notifications of each. */
async function startListeners() {
  const reported: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const [, service] = request.url!.split("/");
    // At its start, a service calls without a body to see that its consumers respond.
    const isEvent = request.url!.endsWith("/internal/v1/events") && text !== "";
    if (isEvent) reported.push(`${service}: ${JSON.parse(text).type}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { reported, origin, stop: () => server.close().closeAllConnections() };
}

/** The first administrator's is the operator's, which is never deleted. */
async function makeOrdinary(): Promise<string> {
  const opened = await openPostgresDatabase(database.url);
  const { rows } = await sql<{ name: string }>`
    with demoted as (update security_service.memberships set roles = array_remove(roles, 'SYSTEM_ADMIN'))
    select name from security_service.organizations`.execute(opened.kysely);
  await opened.close();
  return rows[0]!.name;
}

/** Starts security-service separately. @param elsewhere where all others are */
function startAlone(elsewhere: string, environment: Record<string, string> = {}): Program {
  return start("build/process/services/security-service/main.js", {
    ...Object.fromEntries(otherServices.map((name) => [getVariable(name), `${elsewhere}/${name}`])),
    ...environment,
  });
}

test("a separate service that is stopped at the very moment when it says that it is ready ends well", async () => {
  expect(await startAlone("http://127.0.0.1:1", endWhenItSays('"msg":"ready"')).ended).toBe(0);
});

test("all services are notified of a deleted organization where security-service runs separately", async () => {
  const listeners = await startListeners();
  const port = await startAlone(listeners.origin).says(/"port":(\d+),"msg":"ready"/);
  const name = await makeOrdinary();
  const connect = connectTo(securityServiceContract, { baseUrl: `http://127.0.0.1:${port}` });
  const { accessToken: token } = requireValue(await connect().login({ headers: administrator }), "signing in");
  requireValue(await connect({ token }).deleteOrganization({ body: { name } }), "deleting");
  await expect
    .poll(() => listeners.reported.filter((line) => line.endsWith("organization.deleted")).sort())
    .toEqual(otherServices.map((other) => `${other}: organization.deleted`).sort());
  listeners.stop();
});

test("one separate service and a portal with the others call each other, and events arrive both ways", async () => {
  const [internalPort, alonePort] = await listFreePorts(2);
  const targetApi = await startTargetApi();
  const alone = startApiRegistryAlone(`http://127.0.0.1:${internalPort}`, { PORT: String(alonePort) });
  await alone.says(/"msg":"ready"/);
  const portal = start(serverProgram, {
    API_REGISTRY_URL: `http://127.0.0.1:${alonePort}`,
    INTERNAL_PORT: String(internalPort),
  });
  const origin = await portal.says(/\(listening on (\S+)\)/);
  const backend = await signInToBackend({ origin, ...administrator });

  // The portal's gateway forwards to api-registry, which asks the portal's process for plan and settings.
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const body = { name: "Lists books", method: "get", path: "/books", request: {} };
  const created = await backend.testRegistry.createTest({
    params: { apiId },
    body: { ...body, checks: ["not_a_server_error"] },
  });
  const { id: testId } = requireValue(created, "creating the test");
  const run = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
  expect(run).toMatchObject({ ok: true, value: { state: "finished", verdict: "passed" } });

  // From the separate api-registry to the portal's process: an API's tests are deleted with it.
  requireValue(await backend.apiRegistry.deleteApi({ params: { apiId } }), "deleting the API");
  await expect.poll(async () => (await backend.testRegistry.getTest({ params: { testId } })).status).toBe(404);

  // From the portal's process to the separate api-registry: an organization's APIs are deleted with it.
  await registerApi(backend, targetApi.documentUrl);
  const name = await makeOrdinary();
  requireValue(await backend.securityService.deleteOrganization({ body: { name } }), "deleting the organization");
  await expect.poll(countApis).toBe(0);
  for (const program of started) expect(program.output()).not.toContain("event refused");
  await targetApi.stop();
});

test("a portal is refused whose separate service would have no caller", async () => {
  const portal = start(serverProgram, {
    API_REGISTRY_URL: "http://127.0.0.1:1",
    TEST_ANALYZER_URL: "http://127.0.0.1:1",
  });
  expect(await portal.ended).toBe(1);
  expect(portal.output()).toBe(
    "INTERNAL_PORT is needed with API_REGISTRY_URL, TEST_ANALYZER_URL: services that run alone call those of this process there. Set it, or SECURITY_SERVICE_URL, PORTAL_SERVICE_URL, TEST_REGISTRY_URL, TEST_EXECUTIONER_URL too.\n",
  );
});

test("a separate service is refused that would send its events to a portal's pages or public API", async () => {
  const portal = start(serverProgram, {});
  const origin = await portal.says(/\(listening on (\S+)\)/);
  for (const address of [`${origin}/api/test-registry`, origin]) {
    const alone = startApiRegistryAlone("http://127.0.0.1:1", { TEST_REGISTRY_URL: address });
    expect(await alone.ended).toBe(1);
    expect(alone.output()).toMatch(
      /^TEST_REGISTRY_URL points to a process where test-registry accepts no internal calls\. Name .* INTERNAL_PORT .*\n$/,
    );
  }
});
