import { type Answer, requireAnswer } from "../../services/kit/client/client.ts";
import type { TrendRange } from "../../services/test-analyzer/contract/trends.ts";
import type { CircleStanding } from "../../services/test-executioner/contract/circle-standings.ts";
import type { Organization } from "./organization.ts";

/** One whose days do not begin with those of the counts. */
const timeZone = "Europe/Berlin";

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

async function openDashboard(own: Organization, range: TrendRange): Promise<void> {
  const [{ items }] = await Promise.all([
    need(own.apiRegistry.listApis({ query: { sort: "-updatedAt" } })),
    need(own.testExecutioner.listFailingTests({ query: { limit: 5 } })),
    need(own.testAnalyzer.getTrends({ query: { range, timeZone } })),
  ]);
  await standings(own, items);
}

const openOverview = (
  { apiRegistry, testAnalyzer, testRegistry, testExecutioner, apiId }: Organization,
  range: TrendRange,
) =>
  Promise.all([
    need(apiRegistry.summarizeApi({ params: { apiId } })),
    need(apiRegistry.listOperationTags({ params: { apiId } })),
    need(testAnalyzer.getCoverage({ params: { apiId }, query: {} })),
    need(testRegistry.countTests({ query: { apiId } })),
    need(testExecutioner.summarizeApis({ query: { apiIds: apiId } })),
    need(testAnalyzer.getTrends({ query: { apiId, range, timeZone } })),
  ]);

const openTest = (
  { apiRegistry, testRegistry, testExecutioner, testAnalyzer, apiId, testId }: Organization,
  range: TrendRange,
) =>
  Promise.all([
    need(apiRegistry.summarizeApi({ params: { apiId } })),
    need(testRegistry.getTest({ params: { testId } })),
    need(testExecutioner.listExecutions({ params: { testId }, query: {} })),
    need(testAnalyzer.getTrends({ query: { apiId, testId, range, timeZone } })),
  ]);

/** What the loaders of each page ask the services. */
export const pages: Record<string, (organization: Organization) => Promise<unknown>> = {
  dashboard: (own) => openDashboard(own, "7d"),
  "dashboard, 90 days": (own) => openDashboard(own, "90d"),
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
  overview: (own) => openOverview(own, "7d"),
  "overview, 90 days": (own) => openOverview(own, "90d"),
  runs: ({ testExecutioner, apiId }) => need(testExecutioner.listRuns({ query: { apiId } })),
  "runs of all APIs": ({ testExecutioner }) => need(testExecutioner.listRuns({ query: {} })),
  "runs, failed": ({ testExecutioner, apiId }) =>
    need(testExecutioner.listRuns({ query: { apiId, verdict: "failed" } })),
  "runs, by hand": ({ testExecutioner, apiId }) =>
    need(testExecutioner.listRuns({ query: { apiId, trigger: "manual" } })),
  circles: async ({ testRegistry, testExecutioner }) => {
    const { items } = await need(testRegistry.listCircles({ query: {} }));
    const testCircleIds = items.map(({ id }) => id).join(",");
    await need(testExecutioner.listCircleStandings({ query: { testCircleIds } }));
  },
  "runs of circles": ({ testExecutioner, apiId }) => need(testExecutioner.listCircleExecutions({ query: { apiId } })),
  "runs of a circle": ({ testExecutioner, testCircleId }) =>
    need(testExecutioner.listExecutionsOfCircle({ params: { testCircleId }, query: {} })),
  "runs of it, failed": ({ testExecutioner, testCircleId }) =>
    need(testExecutioner.listExecutionsOfCircle({ params: { testCircleId }, query: { verdict: "failed" } })),
  "results of a circle": async ({ testExecutioner, testCircleId }) => {
    const [{ lastRun }] = (await need(testExecutioner.listCircleStandings({ query: { testCircleIds: testCircleId } })))
      .items as [CircleStanding];
    const params = { runId: lastRun.runId };
    await Promise.all([
      need(testExecutioner.getRun({ params, query: {} })),
      need(testExecutioner.compareRun({ params, query: {} })),
    ]);
  },
  "runs of a test": ({ testExecutioner, testId }) => need(testExecutioner.listRuns({ query: { testId } })),
  "runs of it, by hand": ({ testExecutioner, testId }) =>
    need(testExecutioner.listRuns({ query: { testId, trigger: "manual" } })),
  executions: (own) => openTest(own, "7d"),
  "executions, 90 days": (own) => openTest(own, "90d"),
  "executions, failed": ({ testExecutioner, testId }) =>
    need(testExecutioner.listExecutions({ params: { testId }, query: { verdict: "failed" } })),
  "executions, by hand": ({ testExecutioner, testId }) =>
    need(testExecutioner.listExecutions({ params: { testId }, query: { trigger: "manual" } })),
};
