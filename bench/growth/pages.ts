import { type Answer, requireAnswer } from "../../services/kit/client/client.ts";
import type { Organization } from "./organization.ts";

async function need<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  return requireAnswer(await answer, "The page could not be loaded");
}

/** Last verdicts and numbers of tests of the APIs of a list, as the dashboard and the lists of APIs ask for them. */
async function standings({ testExecutioner, testRegistry }: Organization, apis: { id: string }[]): Promise<void> {
  const apiIds = apis.map(({ id }) => id).join(",");
  await Promise.all([
    need(testExecutioner.summarizeApis({ query: { apiIds } })),
    need(testRegistry.countTests({ query: { apiIds } })),
  ]);
}

/** What the loaders of each page ask the services. */
export const pages: Record<string, (organization: Organization) => Promise<unknown>> = {
  async dashboard(own) {
    const [{ items }] = await Promise.all([
      need(own.apiRegistry.listApis({ query: { sort: "-updatedAt" } })),
      need(own.testAnalyzer.getTrends({ query: { range: "7d" } })),
    ]);
    await standings(own, items);
  },
  async "API list"(own) {
    const { items } = await need(own.apiRegistry.listApis({ query: {} }));
    await standings(own, items);
  },
  async "test list"({ apiRegistry, testRegistry, testExecutioner, apiId }) {
    const [, { items }] = await Promise.all([
      need(apiRegistry.summarizeApi({ params: { apiId } })),
      need(testRegistry.listTests({ params: { apiId }, query: {} })),
      need(testExecutioner.summarizeApis({ query: { apiIds: apiId } })),
    ]);
    const testIds = items.map(({ id }) => id).join(",");
    await need(testExecutioner.listLatestExecutions({ query: { testIds } }));
  },
  matrix: ({ apiRegistry, testAnalyzer, testRegistry, testExecutioner, apiId }) =>
    Promise.all([
      need(apiRegistry.summarizeApi({ params: { apiId } })),
      need(apiRegistry.listOperationTags({ params: { apiId } })),
      need(testAnalyzer.getCoverage({ params: { apiId }, query: {} })),
      need(testRegistry.countTests({ query: { apiId } })),
      need(testExecutioner.summarizeApis({ query: { apiIds: apiId } })),
    ]),
  runs: ({ testExecutioner, apiId }) => need(testExecutioner.listRuns({ query: { apiId } })),
  "runs of all APIs": ({ testExecutioner }) => need(testExecutioner.listRuns({ query: {} })),
  "runs, failed": ({ testExecutioner, apiId }) =>
    need(testExecutioner.listRuns({ query: { apiId, verdict: "failed" } })),
  "runs, by hand": ({ testExecutioner, apiId }) =>
    need(testExecutioner.listRuns({ query: { apiId, trigger: "manual" } })),
  "runs of a test": ({ testExecutioner, testId }) => need(testExecutioner.listRuns({ query: { testId } })),
  "runs of it, by hand": ({ testExecutioner, testId }) =>
    need(testExecutioner.listRuns({ query: { testId, trigger: "manual" } })),
  executions: ({ testExecutioner, testId }) => need(testExecutioner.listExecutions({ params: { testId }, query: {} })),
  "executions, failed": ({ testExecutioner, testId }) =>
    need(testExecutioner.listExecutions({ params: { testId }, query: { verdict: "failed" } })),
  "executions, by hand": ({ testExecutioner, testId }) =>
    need(testExecutioner.listExecutions({ params: { testId }, query: { trigger: "manual" } })),
};
