import { available } from "~/backend/responses";
import { findFailingNow } from "~/features/failing-tests/failing-now.server";
import { trendQuery } from "~/features/trends/trend-query";
import type { Viewer } from "~/session/guards";
import { listChecks } from "./checks.server";

/** Enough to find one that is not held back, and to name those that are. */
const maxNextRuns = 5;

/** For users who operate the installation and have no other role. */
export const nothingToSee = {
  ...{ checks: null, failingNow: null, trends: null, nextRuns: [], hasRun: false },
  ...{ hasSchedule: undefined, hasChannel: undefined, schedulesKnown: true, lastResolvedAt: undefined },
};

/**
 * Status of an organization's APIs, in a constant number of calls. Values of an unavailable service
 * are undefined.
 */
export async function readOverview(viewer: Viewer, request: Request) {
  const { backend, session } = viewer;
  const failingNow = findFailingNow(viewer);
  const [failing, checks, trends, schedules, channels, resolved] = await Promise.all([
    failingNow,
    failingNow.then(({ apiIds }) => listChecks(viewer, request, apiIds)),
    backend.testAnalyzer.getTrends({ query: trendQuery(request, session) }).then(available),
    // Paused ones are last.
    backend.testRegistry.listSchedules({ query: { limit: maxNextRuns } }).then(available),
    backend.testAnalyzer.listChannels({ query: { limit: 1 } }).then(available),
    backend.testAnalyzer.listIncidents({ query: { state: "resolved", limit: 1 } }).then(available),
  ]);
  return {
    ...{ checks, trends, failingNow: failing },
    hasRun: checks?.checks.some(({ executions }) => executions?.lastFinishedAt) || (trends?.total.executions ?? 0) > 0,
    nextRuns: schedules?.items.filter(({ enabled }) => enabled) ?? [],
    schedulesKnown: schedules !== undefined,
    hasSchedule: schedules && schedules.items.length > 0,
    hasChannel: channels && channels.items.length > 0,
    lastResolvedAt: resolved?.items[0]?.resolved?.at,
  };
}
