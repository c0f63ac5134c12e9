import { available } from "~/backend/answers";
import type { Backend } from "~/backend/backend";
import type { AlertRule, AlertScope } from "../../../../services/test-analyzer/contract/alert-rules.ts";

const namedRules = 5;

/** The alert rules that tell a channel; undefined where nobody could say. */
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

async function describeRule(backend: Backend, { scope, channelIds }: AlertRule) {
  return { name: await nameOf(backend, scope), isOnlyChannel: channelIds.length === 1 };
}

/** Whose rule it is, as in `Bookshop` or `the organization`. */
async function nameOf({ apiRegistry, testRegistry }: Backend, scope: AlertScope): Promise<string> {
  if (scope.kind === "organization") return "the organization";
  const answer =
    scope.kind === "api"
      ? await apiRegistry.summarizeApi({ params: { apiId: scope.apiId } })
      : await testRegistry.getCircle({ params: { testCircleId: scope.testCircleId } });
  if (answer.ok) return scope.kind === "api" ? answer.value.name : `the circle ${answer.value.name}`;
  return scope.kind === "api" ? "an API" : "a circle";
}
