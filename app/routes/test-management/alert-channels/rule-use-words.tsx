import { Fragment } from "react";
import { href } from "~/href";
import type { RuleUse } from "./rule-use.server";

const list = new Intl.ListFormat("en");

/** The rules that notify a channel, each linked to its page. */
export function RuleUseWords({ use }: { use: RuleUse | undefined }) {
  if (!use) return "The alert rules that use it can't be shown right now.";
  const { rules, more } = use;
  if (rules.length === 0) {
    return (
      <>
        No alert rule uses it yet, so it receives only test alerts.{" "}
        <a href={href("/test-management/alert-rules")}>Choose it in an alert rule</a>
      </>
    );
  }
  const addresses = new Map(rules.map(({ name, address }) => [name, address]));
  return (
    <>
      It is used by the {isOne(use) ? "rule" : "rules"} of{" "}
      {list.formatToParts([...rules.map(({ name }) => name), ...andMore(more)]).map(({ value }, index) => {
        const address = addresses.get(value);
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence, which repeat and stay in their order
        return <Fragment key={index}>{address ? <a href={address}>{value}</a> : value}</Fragment>;
      })}
      .
    </>
  );
}

const isOne = ({ rules, more }: RuleUse) => rules.length + more === 1;
const andMore = (more: number) => (more > 0 ? [`${more} more`] : []);

/** The effects of deleting a channel on its rules. */
export function deletionInWords(use: RuleUse | undefined): string {
  const always = "Its deliveries are deleted with it. This can't be undone.";
  if (!use) return `Alert rules that use it will no longer notify it. ${always}`;
  const { rules, more } = use;
  if (rules.length === 0) return `No alert rule uses it. ${always}`;
  const names = list.format([...rules.map(({ name }) => name), ...andMore(more)]);
  const silent = rules.filter(({ isOnlyChannel }) => isOnlyChannel).map(({ name }) => name);
  if (isOne(use)) {
    return `The alert rule of ${names} will no longer notify it${silent.length > 0 ? ", and has no other channel" : ""}. ${always}`;
  }
  const change = silent.length === 1 ? `That of ${silent[0]} has` : `Those of ${list.format(silent)} have`;
  return `The alert rules of ${names} will no longer notify it.${silent.length > 0 ? ` ${change} no other channel.` : ""} ${always}`;
}
