import { apiSorts } from "#contracts/api-registry/apis.ts";
import { required } from "~/backend/responses";
import { findApiCounts } from "~/features/verdict/find-api-counts.server";
import type { Viewer } from "~/session/guards";

/** One page of the organization's APIs, each with its status: three calls, however many there are. */
export async function listApisWithStatus(viewer: Viewer, request: Request) {
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const tag = search.get("tag") || undefined;
  const cursor = search.get("cursor") || undefined;
  const sort = apiSorts.find((known) => known === search.get("sort")) ?? "name";
  const page = required(await viewer.backend.apiRegistry.listApis({ query: { query, tag, cursor, sort } }));
  const getCounts = await findApiCounts(viewer.backend, page.items);
  return {
    filters: { query, tag, sort, cursor },
    address: request.url,
    nextCursor: page.nextCursor,
    total: page.total,
    knownTags: page.tags,
    mayRegister: viewer.may("apis:write"),
    now: new Date().toISOString(),
    apis: page.items.map((api) => ({ ...api, ...getCounts(api) })),
  };
}

export type ListedApis = Awaited<ReturnType<typeof listApisWithStatus>>;
