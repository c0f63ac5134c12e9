import type { AlertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import { plural } from "~/ui/count/plural";

/** How often something fails: “once”, “3 times in a row”. */
export const runsWords = (runs: number): string => (runs === 1 ? "once" : `${runs} times in a row`);

export interface RuleInWords {
  rule: AlertPolicy;
  /** Names of the channels that it alerts. */
  channels: readonly string[];
  /** What fails, such as “a test of Example shop”. */
  subject?: string;
}

/** The rule's sentence as in its form, and one for each unusual setting. */
export function ruleWords({ rule, channels, subject = "a test" }: RuleInWords): string {
  const { afterRuns, afterMinutes, severity, onRecovery, onBurn, remindHours, quietHours } = rule;
  const opening = [
    afterRuns && `fails ${runsWords(afterRuns)}`,
    afterMinutes && `has been failing for ${plural(afterMinutes, "minute")}`,
  ];
  const alerted = channels.length > 0 ? `alert ${new Intl.ListFormat("en").format(channels)}` : "alert no one";
  return [
    `When ${subject} ${opening.filter(Boolean).join(" or ")}, open an incident of ${severity} severity and ${alerted}`,
    remindHours && `Remind them every ${remindHours === 1 ? "hour" : `${remindHours} hours`}`,
    !onRecovery && "Recovery is not alerted",
    !onBurn && "Fast-burning error budgets are not alerted",
    quietHours && `Quiet hours are from ${quietHours.from} to ${quietHours.to} ${quietHours.timeZone}`,
  ]
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}
