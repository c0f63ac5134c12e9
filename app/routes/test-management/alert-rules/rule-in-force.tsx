import { ruleAddress } from "~/features/alerts/rule-address";
import { Notice } from "~/ui/notice/notice";
import type { LoadedRule } from "./rule.server";
import { ruleWords } from "./rule-words";

export interface RuleInForceProps {
  rule: LoadedRule;
  api: { id: string; name: string };
}

/** The rule that applies where a scope has no own rule, and where it comes from. */
export function RuleInForce({ rule: { own, wider, mayWrite }, api }: RuleInForceProps) {
  if (!wider) {
    if (own) return null;
    return (
      <Notice tone="warning" title="No rule applies here">
        The first failing run opens an incident but sends no alerts. {mayWrite && "Create a rule below."}
      </Notice>
    );
  }
  const isOfApi = wider.scope.kind === "api";
  const address = ruleAddress(wider.scope, api.id);
  if (own) {
    return (
      <p>
        This rule is used instead of{" "}
        <a href={address}>{isOfApi ? `the rule of ${api.name}` : "the organization's rule"}</a>.
      </p>
    );
  }
  return (
    <Notice title={`${isOfApi ? `The rule of ${api.name}` : "The organization's rule"} applies here`}>
      {ruleWords({ rule: wider, channels: wider.channelNames })} <a href={address}>Open it</a>.{" "}
      {mayWrite && "Create a rule below to override it here; it starts with the same values."}
    </Notice>
  );
}
