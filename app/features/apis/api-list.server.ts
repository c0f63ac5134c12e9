import { apiSorts } from "#contracts/api-registry/apis.ts";
import { required } from "~/backend/responses";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { figuresRange, findApiStatuses } from "./api-statuses.server";

/** One page of the organization's APIs, each with its status, in six calls. */
export async function listApisWithStatus(
  viewer: Viewer,
  request: Request,
  { example }: Pick<PortalContext, "example">,
) {
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const tag = search.get("tag") || undefined;
  const cursor = search.get("cursor") || undefined;
  const sort = apiSorts.find((known) => known === search.get("sort")) ?? "name";
  const page = required(await viewer.backend.apiRegistry.listApis({ query: { query, tag, cursor, sort } }));
  const mayRegister = viewer.may("apis:write");
  const getStatus = await findApiStatuses(viewer, request, page.items);
  return {
    filters: { query, tag, sort, cursor },
    address: request.url,
    nextCursor: page.nextCursor,
    total: page.total,
    knownTags: page.tags,
    mayRegister,
    offersExample: mayRegister && page.items.length === 0 && (await example.isOffered()),
    range: figuresRange(request),
    now: new Date().toISOString(),
    apis: page.items.map((api) => ({ ...api, ...getStatus(api) })),
  };
}

export type ListedApis = Awaited<ReturnType<typeof listApisWithStatus>>;
