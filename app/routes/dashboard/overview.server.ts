import { available, required } from "~/backend/responses";
import { findApisById, nameApis } from "~/features/failing-tests/failing-tests.server";
import { findOpenIncidents } from "~/features/incidents/open-incidents.server";
import { findRecoveringTests } from "~/features/recoveries/recovering-tests.server";
import { trendQuery } from "~/features/trends/trend-query";
import { findApiCounts } from "~/features/verdict/find-api-counts.server";
import type { Viewer } from "~/session/guards";
import { sortByStatus } from "./api-statuses";

const mostFailing = 5;
const maxApis = 10;
const maxNextRuns = 5;

/** For users who operate the installation and have no other role. */
export const nothingToSee = {
  ...{ statuses: [], apiCount: 0, hasRun: false, nextRuns: [] },
  ...{ failing: undefined, trends: undefined, incidents: undefined, hasSchedule: undefined, hasChannel: undefined },
};

/** Status of an organization's APIs; the number of calls does not depend on the number of APIs. */
export async function readOverview(viewer: Viewer, request: Request) {
  const { backend, session } = viewer;
  const [page, failing, recovering, trends, incidents, schedules, channels] = await Promise.all([
    backend.apiRegistry.listApis({ query: { sort: "-updatedAt" } }).then(required),
    backend.testExecutioner.listFailingTests({ query: { limit: mostFailing } }).then(available),
    findRecoveringTests(backend),
    backend.testAnalyzer.getTrends({ query: trendQuery(request, session) }).then(available),
    findOpenIncidents(viewer, request),
    // Paused ones are last.
    backend.testRegistry.listSchedules({ query: { limit: maxNextRuns } }).then(available),
    backend.testAnalyzer.listChannels({ query: { limit: 1 } }).then(available),
  ]);
  // Failures are listed even where they belong to an API that has not changed for long.
  const known = new Set(page.items.map(({ id }) => id));
  const others = [...(failing?.byApi ?? []), ...(failing?.items ?? []), ...recovering]
    .map(({ apiId }) => apiId)
    .filter((apiId) => !known.has(apiId));
  const [more, getCounts] = await Promise.all([
    findApisById(backend, others),
    findApiCounts(
      backend,
      [...known, ...new Set(others)].map((id) => ({ id })),
    ),
  ]);
  const apis = [...page.items, ...more];
  const statuses = sortByStatus(apis.map((api) => ({ api, ...getCounts(api) })));
  return {
    statuses: statuses.slice(0, maxApis),
    apiCount: page.total ?? apis.length,
    hasRun: statuses.some(({ executions }) => executions?.lastFinishedAt) || (trends?.total.executions ?? 0) > 0,
    failing: failing && {
      tests: nameApis(failing.items, recovering, apis).slice(0, mostFailing),
      total: (failing.total ?? failing.items.length) + recovering.length,
    },
    ...{ trends, incidents },
    nextRuns: schedules?.items.filter(({ enabled }) => enabled) ?? [],
    hasSchedule: schedules && schedules.items.length > 0,
    hasChannel: channels && channels.items.length > 0,
  };
}
