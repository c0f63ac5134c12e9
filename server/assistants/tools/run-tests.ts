import { z } from "zod";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { type Assistant, Refused, requireAnswer } from "../assistant.ts";
import { defineTool, givenId } from "../tool.ts";
import { describeRun, runFields, toRunPage } from "./runs.ts";

const unsafeSentence =
  "It may change data, so no assistant starts it. A person can run it in the portal, on the page of the test.";

/** The APIs of these tests. */
async function requireSafeTests(testIds: string[], { services }: Assistant): Promise<string[]> {
  const query = { ids: testIds.join(","), limit: 50 };
  const { items } = requireAnswer(await services.testRegistry.listAllTests({ query }));
  const missing = testIds.filter((testId) => !items.some((test) => test.id === testId));
  const unsafe = items.filter(({ method }) => !isSafe(method));
  if (missing.length > 0 || unsafe.length > 0)
    throw new Refused("Nothing was run.", [
      ...missing.map((testId) => ({ path: testId, message: "No such test." })),
      ...unsafe.map((test) => ({ path: `${test.id} (${test.method.toUpperCase()})`, message: unsafeSentence })),
    ]);
  return [...new Set(items.map(({ apiId }) => apiId))];
}

export const runTests = defineTool({
  name: "run_tests",
  title: "Run tests that change nothing",
  description:
    "Runs the tests of an API, or those named, whose methods are safe (GET, HEAD, OPTIONS, TRACE), and waits for the result. Tests that may change data are left out, or refused where they are named: a person runs those in the portal. Sends real requests to the API. Needs the scope tests:run.",
  input: z.object({
    apiId: givenId.optional().describe("All enabled safe tests of this API"),
    testIds: z.array(givenId).min(1).max(50).optional().describe("Or these tests"),
    environment: z.string().max(100).optional().describe("Name of one of the API's environments"),
    waitSeconds: z.number().int().min(0).max(50).default(30).describe("How long to wait for the end"),
  }),
  output: z.object({ run: z.object(runFields), page: z.string().nullable() }),
  effect: "runs",
  async answer({ apiId, testIds, environment, waitSeconds }, assistant) {
    if ((apiId === undefined) === (testIds === undefined)) throw new Refused("Pass either apiId or testIds.");
    const apiIds = testIds ? await requireSafeTests(testIds, assistant) : [apiId!];
    const source = testIds ? { tests: testIds } : { apiId: apiId! };
    const environments = environment && Object.fromEntries(apiIds.map((one) => [one, environment]));
    const run = requireAnswer(
      await assistant.services.testExecutioner.startRun({
        query: { wait: waitSeconds },
        // Also for named tests: one may have been edited since it was looked up.
        body: { source: { ...source, include: "safe" }, ...(environments ? { environments } : {}) },
      }),
    );
    const { leftOut } = run.counts;
    const omitted =
      leftOut > 0 ? ` ${leftOut} that may change data were left out; a person runs them in the portal.` : "";
    return { summary: describeRun(run) + omitted, data: { run, page: toRunPage(assistant, run) } };
  },
});
