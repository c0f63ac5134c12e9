import { available, required } from "~/backend/responses";
import { ruleAddress } from "~/features/alerts/rule-address";
import type { Viewer } from "~/session/guards";
import { getNames } from "./rule.server";
import { ruleWords } from "./rule-words";

/** Page size: an organization has few rules and channels. */
const all = 200;

export interface OtherRule {
  name: string;
  address: string;
  /** The rule as a sentence. */
  words: string;
}

/** APIs and circles with their own rules. */
export async function listOtherRules({ backend }: Viewer): Promise<OtherRule[]> {
  const [{ items }, { items: channels }] = await Promise.all([
    backend.testAnalyzer.listRules({ query: { limit: all } }).then(required),
    backend.testAnalyzer.listChannels({ query: { limit: all } }).then(required),
  ]);
  const kinds = new Set(items.map(({ scope }) => scope.kind));
  const [apis, circles] = await Promise.all([
    kinds.has("api") ? backend.apiRegistry.listApis({ query: { limit: all } }).then(available) : undefined,
    kinds.has("circle") ? backend.testRegistry.listCircles({ query: { limit: all } }).then(available) : undefined,
  ]);
  return items.flatMap((rule) => {
    const { scope } = rule;
    const words = (subject: string) => ruleWords({ rule, channels: getNames(rule, channels), subject });
    if (scope.kind === "organization") return [];
    if (scope.kind === "api") {
      const name = apis?.items.find(({ id }) => id === scope.apiId)?.name ?? "Another API";
      return [{ name, address: ruleAddress(scope, scope.apiId), words: words(`a test of ${name}`) }];
    }
    const circle = circles?.items.find(({ id }) => id === scope.testCircleId);
    const apiId = circle?.apiIds[0];
    if (!apiId) return [];
    const name = `Circle ${circle.name}`;
    return [{ name, address: ruleAddress(scope, apiId), words: words(`a test in a run of ${circle.name}`) }];
  });
}
