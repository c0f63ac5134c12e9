import { sql } from "kysely";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { type Database, openPostgresDatabase } from "../../services/kit/database/database.ts";
import { type PortalProcess, signInForToken, startPortalProcess } from "../../tests/support/portal-process.ts";
import { openSession } from "../viewer/portal-session.ts";

export const apiCount = 2;
/** Forty tests in all: at a thousand executions the first page of each is full. */
export const testsOfApi = 20;
const operationsOfApi = 20;

const toPath = (index: number) => `/things-${index % operationsOfApi}/{id}`;

const getTest = (index: number) => ({
  ...{ name: `Test ${index}`, method: "get", path: toPath(index), checks: ["not_a_server_error" as const] },
  request: { pathParameters: [{ name: "id", value: "1" }] },
});

function getDocument(index: number): string {
  const responses = Object.fromEntries(
    ["200", "404", "500"].map((status) => [status, { description: `Answers ${status}` }]),
  );
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "integer" } }];
  const paths = Array.from({ length: operationsOfApi }, (_, operation) => [
    toPath(operation),
    { get: { tags: [`Tag ${operation % 4}`], summary: `Reads thing ${operation}`, parameters, responses } },
  ]);
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: `Shop ${index}`, version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: Object.fromEntries(paths),
  });
}

/** Two APIs, forty tests and one circle per API, through the public API. */
async function setUp(portal: PortalProcess): Promise<void> {
  const caller = { token: await signInForToken(portal) };
  const apiRegistry = connectTo(apiRegistryContract, { baseUrl: `${portal.origin}/api/api-registry` })(caller);
  const testRegistry = connectTo(testRegistryContract, { baseUrl: `${portal.origin}/api/test-registry` })(caller);
  for (let api = 0; api < apiCount; api += 1) {
    const registered = await apiRegistry.registerApi({ body: { source: { document: getDocument(api) } } });
    const { id: apiId } = requireValue(registered, "The API could not be registered");
    for (let test = 0; test < testsOfApi; test += 1) {
      const created = await testRegistry.createTest({ params: { apiId }, body: getTest(test) });
      requireValue(created, "The test could not be created");
    }
    const members = [{ kind: "selection" as const, apiId }];
    const circle = await testRegistry.createCircle({ body: { name: `Circle ${api}`, members } });
    requireValue(circle, "The circle could not be created");
  }
}

interface Circle {
  organizationId: string;
  apiId: string;
  testCircleId: string;
  testId: string;
}

/** The same for every run, of an organization that an earlier run may have kept. */
async function findCircle({ kysely }: Database): Promise<Circle | undefined> {
  const { rows } = await sql<Circle>`
    select member.organization_id as "organizationId", member.api_id as "apiId", member.circle_id as "testCircleId",
      (select id from test_registry.tests test where test.api_id = member.api_id order by id limit 1) as "testId"
    from test_registry.test_circle_members member order by member.circle_id limit 1`.execute(kysely);
  return rows[0];
}

/** The cookies that a browser sends and stores: a session outlives its first token. */
async function createBrowser(portal: PortalProcess) {
  const { cookie } = await openSession(portal);
  const cookies = new Map(
    `${cookie}; cookiesAccepted=Y; timeZone=Europe%2FBerlin`
      .split("; ")
      .map((one) => [one.slice(0, one.indexOf("=")), one]),
  );
  return async (path: string): Promise<string> => {
    const response = await fetch(portal.origin + path, {
      headers: { cookie: [...cookies.values()].join("; ") },
      redirect: "manual",
    });
    const page = await response.text();
    for (const line of response.headers.getSetCookie())
      cookies.set(line.slice(0, line.indexOf("=")), line.split(";")[0]!);
    if (response.status !== 200)
      throw new Error(`${path} answered ${response.status}\n${portal.output().slice(-2_000)}`);
    return page;
  };
}

/** The organization of this database, new or kept, and a browser signed in to the portal that serves only it. */
export async function openOrganization(databaseUrl: string) {
  const portal = await startPortalProcess({
    // No worker and no scheduler, so that the portal does nothing but serve pages.
    environment: {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: "one key for the portals of this measurement",
      RUN: "portal",
      LOG_LEVEL: "warn",
    },
  });
  // The portal ends with this process, however that ends.
  const kill = () => void portal.process.kill("SIGKILL");
  process.once("exit", kill);
  const database = await openPostgresDatabase(databaseUrl);
  async function stop(): Promise<void> {
    await portal.stop();
    process.off("exit", kill);
    await database.close();
  }
  try {
    if (!(await findCircle(database))) await setUp(portal);
    const circle = (await findCircle(database))!;
    let browser: Awaited<ReturnType<typeof createBrowser>> | undefined;
    return {
      ...circle,
      database,
      /** Opens a page as a signed-in browser; returns its HTML. */
      async open(path: string): Promise<string> {
        if (portal.process.exitCode !== null || portal.process.signalCode !== null) {
          throw new Error(`The portal ended (${portal.process.signalCode}):\n${portal.output()}`);
        }
        browser ??= await createBrowser(portal);
        return await browser(path);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Organization = Awaited<ReturnType<typeof openOrganization>>;
