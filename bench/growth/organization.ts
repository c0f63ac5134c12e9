import { requireAnswer } from "../../services/kit/client/client.ts";
import type { Database } from "../../services/kit/database/database.ts";
import { createExecutionWorld } from "../../services/test-executioner/testing/world.ts";

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

/** One organization with two APIs, forty tests and a circle of each API's, and the services that it asks. */
export async function createOrganization(database: Database) {
  const world = await createExecutionWorld(database, { work: false, realAnalyzer: true });
  const { token, organizationId } = world.identities.tokenFor();
  const apiRegistry = world.apiRegistry({ token });
  const testRegistry = world.testRegistry({ token });
  const apiIds: string[] = [];
  const circleIds: string[] = [];
  for (let api = 0; api < apiCount; api += 1) {
    const registered = await apiRegistry.registerApi({ body: { source: { document: documentOf(api) } } });
    const { id: apiId } = requireAnswer(registered, "The API could not be registered");
    apiIds.push(apiId);
    for (let test = 0; test < testsOfApi; test += 1) {
      const created = await testRegistry.createTest({ params: { apiId }, body: testOf(test) });
      requireAnswer(created, "The test could not be created");
    }
    const members = [{ kind: "selection" as const, apiId }];
    const circle = await testRegistry.createCircle({ body: { name: `Circle ${api}`, members } });
    circleIds.push(requireAnswer(circle, "The circle could not be created").id);
  }
  const [firstApi] = apiIds as [string];
  const [firstCircle] = circleIds as [string];
  const { items } = requireAnswer(await testRegistry.listTests({ params: { apiId: firstApi }, query: {} }), "No tests");
  return {
    database,
    organizationId,
    apiId: firstApi,
    testCircleId: firstCircle,
    testId: items[0]!.id,
    apiRegistry,
    testRegistry,
    testExecutioner: world.connect({ token }),
    testAnalyzer: world.testAnalyzer({ token }),
    stop: world.stop,
  };
}

export type Organization = Awaited<ReturnType<typeof createOrganization>>;
