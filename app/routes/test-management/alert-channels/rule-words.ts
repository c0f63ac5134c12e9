import type { RuleUse } from "./rule-use.server";

const list = new Intl.ListFormat("en");

function namesOf({ rules, more }: RuleUse): string {
  return list.format([...rules.map(({ name }) => name), ...(more > 0 ? [`${more} more`] : [])]);
}

const isOne = ({ rules, more }: RuleUse) => rules.length + more === 1;

/** Which rules tell a channel. */
export function useInWords(use: RuleUse | undefined): string {
  if (!use) return "Which alert rules tell it can't be shown right now.";
  if (use.rules.length === 0) return "No alert rule tells it yet, so it gets nothing but tests.";
  return `It is told by the ${isOne(use) ? "rule" : "rules"} of ${namesOf(use)}.`;
}

/** What goes with a channel that is deleted. */
export function deletionInWords(use: RuleUse | undefined): string {
  const always = "Its deliveries are deleted with it. This can't be undone.";
  if (!use) return `Alert rules that name it go on without it. ${always}`;
  if (use.rules.length === 0) return `No alert rule names it. ${always}`;
  const silent = use.rules.filter(({ isOnlyChannel }) => isOnlyChannel).map(({ name }) => name);
  const ruleWords = isOne(use) ? "rule" : "rules";
  const goOn = `The alert ${ruleWords} of ${namesOf(use)} ${isOne(use) ? "goes" : "go"} on without it.`;
  const tellNobody =
    silent.length === 0
      ? ""
      : ` ${isOne(use) ? "It then tells" : silent.length === 1 ? `That of ${silent[0]} then tells` : `Those of ${list.format(silent)} then tell`} nobody.`;
  return `${goOn}${tellNobody} ${always}`;
}
