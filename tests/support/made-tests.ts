import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type PortalBackend, registerApi } from "./portal-backend.ts";
import type { TargetApi } from "./target-api.ts";

export interface MadeTests {
  backend: PortalBackend;
  apiId: string;
  /** By test name. */
  testIds: Record<string, string>;
}

/** An API with tests: one that passes, one that fails, and the given number of slow ones. */
export async function makeTests(backend: PortalBackend, targetApi: TargetApi, slow = 0): Promise<MadeTests> {
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const wanted = [
    { name: "Lists books", path: "/books", status: 200 },
    { name: "Wants the impossible", path: "/books", status: 418 },
    ...Array.from({ length: slow }, (_, index) => ({ name: `Waits ${index + 1}`, path: "/slow", status: 200 })),
  ];
  const testIds: Record<string, string> = {};
  for (const { name, path, status } of wanted) {
    const created = await backend.testRegistry.createTest({
      params: { apiId },
      body: {
        ...{ name, method: "get", path, request: {} },
        assertions: [{ source: "statusCode", comparison: "equals", target: status }],
      },
    });
    testIds[name] = requireValue(created, "creating a test").id;
  }
  return { backend, apiId, testIds };
}

/** A run of all of them, started as a pipeline does; returns its id. */
export async function runByPipeline({ backend, testIds }: MadeTests): Promise<string> {
  const body = { source: { tests: Object.values(testIds) }, trigger: "ci" as const };
  const { testExecutioner } = await backend.asProgram();
  return requireValue(await toTheEnd(testExecutioner).startRun({ body }), "starting a run").id;
}

/** Changes the failing test to expect the actual response. */
export async function mend({ backend: { testRegistry }, testIds }: MadeTests): Promise<void> {
  const params = { testId: testIds["Wants the impossible"]! };
  const { id, apiId, version, createdAt, updatedAt, ...test } = requireValue(
    await testRegistry.getTest({ params }),
    "reading the test",
  );
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
  requireValue(await testRegistry.changeTest({ params, body: { ...test, assertions } }), "mending the test");
}

export async function listRuns({ backend, apiId }: MadeTests) {
  return requireValue(await backend.testExecutioner.listRuns({ query: { apiId } }), "listing runs").items;
}
