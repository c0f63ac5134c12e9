import { sql } from "kysely";
import { requireAnswer } from "../../services/kit/client/client.ts";
import type { Database } from "../../services/kit/database/database.ts";
import { createExecutionWorld, type ExecutionWorld } from "../../services/test-executioner/testing/world.ts";

export const apiCount = 2;
/** Forty tests in all: at a thousand executions the first page of each is full. */
export const testsOfApi = 20;
const operationsOfApi = 20;

const pathOf = (index: number) => `/things-${index % operationsOfApi}/{id}`;

const testOf = (index: number) => ({
  ...{ name: `Test ${index}`, method: "get", path: pathOf(index), checks: ["not_a_server_error" as const] },
  request: { pathParameters: [{ name: "id", value: "1" }] },
});

function documentOf(index: number): string {
  const responses = Object.fromEntries(
    ["200", "404", "500"].map((status) => [status, { description: `Answers ${status}` }]),
  );
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "integer" } }];
  const paths = Array.from({ length: operationsOfApi }, (_, operation) => [
    pathOf(operation),
    { get: { tags: [`Tag ${operation % 4}`], summary: `Reads thing ${operation}`, parameters, responses } },
  ]);
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: `Shop ${index}`, version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: Object.fromEntries(paths),
  });
}

/** Two APIs, forty tests and a circle of each API's. */
async function setUp(world: ExecutionWorld, token: string): Promise<void> {
  const testRegistry = world.testRegistry({ token });
  for (let api = 0; api < apiCount; api += 1) {
    const registered = await world
      .apiRegistry({ token })
      .registerApi({ body: { source: { document: documentOf(api) } } });
    const { id: apiId } = requireAnswer(registered, "The API could not be registered");
    for (let test = 0; test < testsOfApi; test += 1) {
      const created = await testRegistry.createTest({ params: { apiId }, body: testOf(test) });
      requireAnswer(created, "The test could not be created");
    }
    const members = [{ kind: "selection" as const, apiId }];
    const circle = await testRegistry.createCircle({ body: { name: `Circle ${api}`, members } });
    requireAnswer(circle, "The circle could not be created");
  }
}

/** The one organization of a database that an earlier go has kept. */
async function findKept({ kysely }: Database): Promise<string | undefined> {
  await sql`create table if not exists public.measured (organization_id uuid not null)`.execute(kysely);
  const { rows } = await sql<{ organization_id: string }>`select organization_id from public.measured`.execute(kysely);
  return rows[0]?.organization_id;
}

/** The organization of this database, new or kept, and the services that it asks. */
export async function openOrganization(database: Database) {
  const world = await createExecutionWorld(database, { work: false, realAnalyzer: true });
  const kept = await findKept(database);
  const { token, organizationId } = world.identities.tokenFor({ organizationId: kept });
  if (!kept) {
    await setUp(world, token);
    await sql`insert into public.measured values (${organizationId}::uuid)`.execute(database.kysely);
  }
  const testRegistry = world.testRegistry({ token });
  const circles = requireAnswer(await testRegistry.listCircles({ query: {} }), "No circles");
  const [circle] = circles.items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [apiId] = circle!.apiIds as [string];
  const { items } = requireAnswer(await testRegistry.listTests({ params: { apiId }, query: {} }), "No tests");
  return {
    database,
    organizationId,
    apiId,
    testCircleId: circle!.id,
    testId: items[0]!.id,
    apiRegistry: world.apiRegistry({ token }),
    testRegistry,
    testExecutioner: world.connect({ token }),
    testAnalyzer: world.testAnalyzer({ token }),
    stop: world.stop,
  };
}

export type Organization = Awaited<ReturnType<typeof openOrganization>>;
