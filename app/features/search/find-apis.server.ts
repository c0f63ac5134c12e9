import { apiState } from "~/features/apis/api-state";
import { findApiCounts } from "~/features/verdict/find-api-counts.server";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import type { Group } from "./found";
import type { Search } from "./search";

/** APIs and operations. */
export async function findApis({ viewer, query, limit, withStatus }: Search): Promise<Group[]> {
  if (!viewer.may("apis:read")) return [];
  const found = await viewer.backend.apiRegistry.searchApis({ query: { query, limit } });
  if (!found.ok) return [];
  const { apis, operations } = found.value;
  const getCounts =
    withStatus && viewer.may("tests:read") ? await findApiCounts(viewer.backend, apis.items) : undefined;
  return [
    {
      kind: "apis",
      ...apis,
      hits: apis.items.map(({ id, name, version, operationCount }) => ({
        state: getCounts && apiState(getCounts({ id }).executions),
        href: href("/api-management/:apiId/details", { apiId: id }),
        name,
        what: `Version ${version}, ${plural(operationCount, "operation")}`,
      })),
    },
    {
      kind: "operations",
      ...operations,
      hits: operations.items.map(({ apiId, apiName, method, path, summary, deprecated }) => ({
        href: href("/api-management/:apiId/swagger/operation", { apiId }, { method, path }),
        name: `${method.toUpperCase()} ${path}`,
        what: [summary, deprecated && "deprecated"].filter(Boolean).join(", ") || undefined,
        where: apiName,
      })),
    },
  ];
}
