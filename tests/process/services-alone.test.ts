import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo, requireAnswer } from "../../services/kit/client/client.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { endWhenItSays, type Program, startProgram } from "../support/program.ts";

const otherServices = ["portal-service", "api-registry", "test-registry", "test-executioner", "test-analyzer"];
const administrator = { username: "admin", password: "correct-horse-battery" };

let database: TestDatabase;
let program: Program;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await program.kill();
  await database.drop();
});

/** Stands in for all services elsewhere, each below its name, and remembers who was told what. */
async function startListeners() {
  const told: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const [, service] = request.url!.split("/");
    if (request.url!.endsWith("/internal/v1/events")) told.push(`${service}: ${JSON.parse(text).type}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { told, origin, stop: () => server.close().closeAllConnections() };
}

/** The first administrator's is the operator's, which nobody deletes. */
async function makeOrdinary(): Promise<string> {
  const opened = await openPostgresDatabase(database.url);
  const { rows } = await sql<{ name: string }>`
    with demoted as (update security_service.memberships set roles = array_remove(roles, 'SYSTEM_ADMIN'))
    select name from security_service.organizations`.execute(opened.kysely);
  await opened.close();
  return rows[0]!.name;
}

/** Starts security-service alone. @param elsewhere where all others are */
function startAlone(elsewhere: string, environment: Record<string, string> = {}): Program {
  const others = otherServices.map((name) => [`${name.toUpperCase().replace("-", "_")}_URL`, `${elsewhere}/${name}`]);
  program = startProgram("build/process/services/security-service/main.js", {
    DATABASE_URL: database.url,
    SECRETS_KEY: "one key for all processes of this installation",
    ADMIN_PASSWORD: administrator.password,
    PUBLIC_URL: "https://portal.example.com",
    ...Object.fromEntries(others),
    ...environment,
  });
  return program;
}

test("a service alone that is told to end in the very moment in which it says that it is ready ends well", async () => {
  expect(await startAlone("http://127.0.0.1:1", endWhenItSays('"msg":"ready"')).ended).toBe(0);
});

test("everybody is told of a deleted organization where security-service runs alone", async () => {
  const listeners = await startListeners();
  const port = await startAlone(listeners.origin).says(/"port":(\d+),"msg":"ready"/);
  const name = await makeOrdinary();
  const connect = connectTo(securityServiceContract, { baseUrl: `http://127.0.0.1:${port}` });
  const { accessToken: token } = requireAnswer(await connect().login({ headers: administrator }), "signing in");
  requireAnswer(await connect({ token }).deleteOrganization({ body: { name } }), "deleting");
  await expect
    .poll(() => listeners.told.filter((line) => line.endsWith("organization.deleted")).sort())
    .toEqual(otherServices.map((other) => `${other}: organization.deleted`).sort());
  listeners.stop();
});
