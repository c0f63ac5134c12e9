import { available, required } from "~/backend/responses";
import { ruleAddress } from "~/features/alerts/rule-address";
import type { Viewer } from "~/session/guards";

/** Page size: an organization has few rules. */
const all = 200;

/** APIs and circles with their own rules. */
export async function listOtherRules({ backend }: Viewer): Promise<{ name: string; address: string }[]> {
  const { items } = required(await backend.testAnalyzer.listRules({ query: { limit: all } }));
  const kinds = new Set(items.map(({ scope }) => scope.kind));
  const [apis, circles] = await Promise.all([
    kinds.has("api") ? backend.apiRegistry.listApis({ query: { limit: all } }).then(available) : undefined,
    kinds.has("circle") ? backend.testRegistry.listCircles({ query: { limit: all } }).then(available) : undefined,
  ]);
  return items.flatMap(({ scope }) => {
    if (scope.kind === "organization") return [];
    if (scope.kind === "api") {
      const name = apis?.items.find(({ id }) => id === scope.apiId)?.name ?? "Another API";
      return [{ name, address: ruleAddress(scope, scope.apiId) }];
    }
    const circle = circles?.items.find(({ id }) => id === scope.testCircleId);
    const apiId = circle?.apiIds[0];
    return apiId ? [{ name: `Circle ${circle.name}`, address: ruleAddress(scope, apiId) }] : [];
  });
}
