import { latestSorts } from "#contracts/test-executioner/latest-executions.ts";
import { circleSorts } from "#contracts/test-registry/circles.ts";
import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

const sorts = [...circleSorts, ...latestSorts] as const;
export type CircleSort = (typeof sorts)[number];

export interface CircleFilters {
  apiId: string | undefined;
  query?: string;
  cursor?: string;
  sort: CircleSort;
}

export function readCircleFilters(request: Request, apiId: string | undefined): CircleFilters {
  const search = new URL(request.url).searchParams;
  return {
    apiId,
    query: search.get("query")?.trim() || undefined,
    cursor: search.get("cursor") || undefined,
    sort: sorts.find((sort) => sort === search.get("sort")) ?? "name",
  };
}

const circlesOnPage = 25;
/** Runs outlive their circles, so that a page of last runs may name few or none that still exist. */
const maxPagesRead = 8;

/** One page of circles. By last run or verdict, circles that have not run are not listed. */
export async function listSortedCircles({ backend }: Viewer, { apiId, query, cursor, sort }: CircleFilters) {
  const { testExecutioner, testRegistry } = backend;
  const latestSort = latestSorts.find((known) => known === sort);
  if (!latestSort) {
    const ownSort = circleSorts.find((known) => known === sort);
    return required(await testRegistry.listCircles({ query: { apiId, query, cursor, sort: ownSort } }));
  }
  let next = cursor;
  for (let read = 1; ; read += 1) {
    const latest = required(
      await testExecutioner.listLatestCircleRuns({
        query: { apiId, cursor: next, sort: latestSort, limit: circlesOnPage },
      }),
    );
    const ids = latest.items.map(({ testCircleId }) => testCircleId);
    const found = ids.length
      ? required(await testRegistry.listCircles({ query: { apiId, query, ids: ids.join(","), limit: circlesOnPage } }))
          .items
      : [];
    const items = ids.flatMap((id) => found.find((circle) => circle.id === id) ?? []);
    if (items.length > 0 || !latest.nextCursor || read === maxPagesRead)
      return { items, nextCursor: latest.nextCursor };
    next = latest.nextCursor;
  }
}
