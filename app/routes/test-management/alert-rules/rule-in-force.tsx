import { ruleAddress } from "~/features/alerts/rule-address";
import { Notice } from "~/ui/notice/notice";
import type { LoadedRule } from "./rule.server";
import { ruleWords } from "./rule-words";

export interface RuleInForceProps {
  rule: LoadedRule;
  api: { id: string; name: string };
}

/** The rule that applies where a scope has no own rule. */
export function RuleInForce({ rule: { own, wider, mayWrite }, api }: RuleInForceProps) {
  if (own) return null;
  const invitation = mayWrite && "Create a rule below to override it here.";
  if (!wider) {
    return (
      <Notice tone="warning" title="No rule applies here">
        The first failing run opens an incident but sends no alerts. {invitation}
      </Notice>
    );
  }
  const owner = wider.scope.kind === "api" ? `The rule of ${api.name}` : "The organization's rule";
  return (
    <Notice title={`${owner} applies here`}>
      {ruleWords(wider, wider.channelNames)} <a href={ruleAddress(wider.scope, api.id)}>Open it</a>. {invitation}
    </Notice>
  );
}
