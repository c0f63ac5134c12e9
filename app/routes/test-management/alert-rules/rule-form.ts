import { z } from "zod";
import {
  type AlertPolicy,
  type AlertRuleInput,
  type AlertScope,
  severity,
} from "#contracts/test-analyzer/alert-rules.ts";

const text = z.string().default("");
const wholeNumber = z.number("Enter a number").int("Enter a whole number");

/** As the contract bounds it. */
export const maxRuns = 10;

/** The form of an alert rule. The service checks the bounds. */
export const ruleForm = z.object({
  afterRuns: wholeNumber.optional(),
  afterMinutes: wholeNumber.optional(),
  severity,
  severities: z.array(z.object({ tag: z.string("Enter a tag").trim().min(1, "Enter a tag"), severity })).default([]),
  channelIds: z.array(z.string()).default([]),
  onRecovery: z.boolean().default(false),
  onBurn: z.boolean().default(false),
  remindHours: wholeNumber.optional(),
  quiet: z.boolean().default(false),
  from: text,
  to: text,
  timeZone: text,
});
export type RuleFormValue = z.output<typeof ruleForm>;

export function toInput({ quiet, from, to, timeZone, ...said }: RuleFormValue, scope: AlertScope): AlertRuleInput {
  return { ...said, scope, quietHours: quiet ? { from, to, timeZone } : undefined };
}

/** For the button that leads to a new channel: the input is kept meanwhile. */
export const createsChannel = "create-channel";

/** The form's values; every field is text, as in HTML. */
export function toForm({ channelIds, ...policy }: AlertPolicy & { channelIds: string[] }, viewersZone: string) {
  const { quietHours, severities } = policy;
  const ticked = (is: boolean) => (is ? "on" : undefined);
  return {
    afterRuns: policy.afterRuns?.toString() ?? "",
    afterMinutes: policy.afterMinutes?.toString() ?? "",
    severity: policy.severity as string,
    severities: severities.map((row) => ({ ...row, severity: row.severity as string })),
    channelIds,
    onRecovery: ticked(policy.onRecovery),
    onBurn: ticked(policy.onBurn),
    remindHours: policy.remindHours?.toString() ?? "",
    quiet: ticked(quietHours !== undefined),
    from: quietHours?.from ?? "22:00",
    to: quietHours?.to ?? "07:00",
    timeZone: quietHours?.timeZone ?? viewersZone,
  };
}
export type RuleFormFields = ReturnType<typeof toForm>;

/** Maps the service's paths to the form's fields. */
export function toField(path: string): string {
  if (path.startsWith("quietHours.")) return path.slice("quietHours.".length);
  if (path.startsWith("channelIds")) return "channelIds";
  return path.startsWith("scope") ? "" : path;
}
