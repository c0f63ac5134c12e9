import type { AlertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import { plural } from "~/ui/count/plural";

/** A rule in a few sentences. @param channels names of the channels that it notifies */
export function ruleWords(rule: AlertPolicy, channels: readonly string[]): string {
  const { afterRuns: runs, afterMinutes, onBurn, remindHours, quietHours } = rule;
  const opening = [
    runs && (runs === 1 ? "the first run that fails" : `${runs} runs that fail one after the other`),
    afterMinutes && `${plural(afterMinutes, "minute")} of failing`,
  ];
  return [
    `An incident opens after ${opening.filter(Boolean).join(", or ")}`,
    channels.length > 0
      ? `${new Intl.ListFormat("en").format(channels)} ${channels.length === 1 ? "is" : "are"} alerted`
      : "No alerts are sent",
    !onBurn && "No alerts are sent for fast-burning error budgets",
    remindHours && `Reminders every ${remindHours === 1 ? "hour" : `${remindHours} hours`}`,
    quietHours && `Quiet hours are from ${quietHours.from} to ${quietHours.to} ${quietHours.timeZone}`,
  ]
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}
