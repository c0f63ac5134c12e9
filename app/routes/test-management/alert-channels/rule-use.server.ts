import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";
import { ruleAddress } from "~/features/alerts/rule-address";

const namedRules = 5;

/** The alert rules that notify a channel; undefined where unknown. */
export async function findRuleUse(backend: Backend, channelId: string) {
  const page = available(await backend.testAnalyzer.listRules({ query: { channelId, limit: 200 } }));
  if (!page) return undefined;
  const named = page.items.slice(0, namedRules);
  return {
    rules: await Promise.all(named.map((rule) => describeRule(backend, rule))),
    more: page.items.length - named.length,
  };
}
export type RuleUse = NonNullable<Awaited<ReturnType<typeof findRuleUse>>>;

/** The rule's scope, e.g. `Bookshop` or `the organization`, and its address. */
async function describeRule({ apiRegistry, testRegistry }: Backend, { scope, channelIds }: AlertRule) {
  const isOnlyChannel = channelIds.length === 1;
  if (scope.kind === "organization") {
    return { name: "the organization", address: ruleAddress(scope, ""), isOnlyChannel };
  }
  if (scope.kind === "api") {
    const api = await apiRegistry.summarizeApi({ params: { apiId: scope.apiId } });
    return { name: api.ok ? api.value.name : "an API", address: ruleAddress(scope, scope.apiId), isOnlyChannel };
  }
  const circle = await testRegistry.getCircle({ params: { testCircleId: scope.testCircleId } });
  const apiId = circle.ok ? circle.value.apiIds[0] : undefined;
  return {
    name: circle.ok ? `the circle ${circle.value.name}` : "a circle",
    address: apiId ? ruleAddress(scope, apiId) : undefined,
    isOnlyChannel,
  };
}
