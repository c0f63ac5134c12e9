import type { TrendFigures, TrendRange } from "#contracts/test-analyzer/trends.ts";
import { available } from "~/backend/responses";
import { trendQuery } from "~/features/trends/trend-query";
import { type ApiCounts, findApiCounts } from "~/features/verdict/find-api-counts.server";
import type { Outcome } from "~/features/verdict/strip-words";
import type { Viewer } from "~/session/guards";

/** Status of an API in lists. Unknown values are undefined. */
export interface ApiStatus extends ApiCounts {
  /** Its last finished runs, newest first. */
  runs: ({ runId: string } & Outcome)[] | undefined;
  figures: Pick<TrendFigures, "availability" | "p95"> | undefined;
}

/** The period of the figures in lists: a month where the page shows a month or more, otherwise a week. */
export function figuresRange(request: Request): Extract<TrendRange, "7d" | "30d"> {
  const range = new URL(request.url).searchParams.get("range");
  return range === "30d" || range === "90d" ? "30d" : "7d";
}

/** For a page of APIs: five calls, and one more while tests recover. All read stored counts. */
export async function findApiStatuses(
  viewer: Viewer,
  request: Request,
  apis: readonly { id: string }[],
): Promise<(api: { id: string }) => ApiStatus> {
  const { backend, session } = viewer;
  const apiIds = apis.map(({ id }) => id).join(",");
  if (!apiIds) return () => ({ testCount: 0, executions: null, runs: [], figures: undefined });
  const { timeZone } = trendQuery(request, session);
  const [getCounts, runs, figures] = await Promise.all([
    findApiCounts(backend, apis),
    backend.testExecutioner.listApiRuns({ query: { apiIds } }).then(available),
    backend.testAnalyzer.listApiFigures({ query: { apiIds, range: figuresRange(request), timeZone } }).then(available),
  ]);
  const runsById = new Map(runs?.items.map((item) => [item.apiId, item.runs]));
  const figuresById = new Map(figures?.items.map((item) => [item.apiId, item.figures]));
  return (api) => ({
    ...getCounts(api),
    runs: runs && (runsById.get(api.id) ?? []),
    figures: figuresById.get(api.id),
  });
}
