import { z } from "zod";
import {
  type AlertChannel,
  type AlertChannelInput,
  alertChannelInput,
  type ChannelKind,
  channelKinds,
} from "#contracts/test-analyzer/alert-channels.ts";

const fields = z.object({
  /** Of a stored channel. */
  version: z.string().optional(),
  kind: z.enum(channelKinds, { error: "Choose what carries the alerts" }),
  name: z.string().default(""),
  enabled: z.boolean().default(false),
  memberIds: z.array(z.string()).default([]),
  /** One a line. */
  addresses: z.string().default(""),
  /** Of a webhook. */
  url: z.string().default(""),
  /** Of Slack and Teams: whoever knows their address may write there. */
  secret: z.string().optional(),
});
type ChannelFormValue = z.output<typeof fields>;

/** The form of a channel, judged by the service's own rules; what belongs to other kinds stays as it was typed. */
export const channelForm = fields.superRefine((form, context) => {
  for (const { path, message } of alertChannelInput.safeParse(inputOf(form)).error?.issues ?? []) {
    context.addIssue({ code: "custom", ...placedFault(form, path.join("."), message) });
  }
  // What the service would say only once the rest is right.
  const fault = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  const { kind, version, memberIds, addresses, secret } = form;
  if (kind === "mail" && memberIds.length === 0 && !addresses.trim()) {
    fault("memberIds", "Choose a member or give an address");
  }
  if ((kind === "slack" || kind === "teams") && !version && !secret) {
    fault("secret", "Enter the address of the incoming webhook");
  }
});

export function inputOf({ kind, name, enabled, memberIds, url, secret, ...form }: ChannelFormValue): AlertChannelInput {
  const named = { name, enabled };
  switch (kind) {
    case "mail":
      return { kind, ...named, memberIds, addresses: linesOf(form.addresses) };
    case "webhook":
      return { kind, ...named, url };
    default:
      return { kind, ...named, url: secret };
  }
}

/** Where the form has what the service names, and of a list's item which it is. */
export function placedFault(form: ChannelFormValue, path: string, message: string) {
  const [field = "", index] = path.split(/\.|\[/);
  if (field === "url" && form.kind !== "webhook") return { path: ["secret"], message };
  if (field !== "addresses" || index === undefined) return { path: [field], message };
  return { path: [field], message: `${linesOf(form.addresses)[Number.parseInt(index, 10)]}: ${message}` };
}

/** What the form shows; every field is text, as in a form. */
export function formOf(channel: AlertChannel) {
  return {
    ...emptyForm,
    kind: channel.kind,
    name: channel.name,
    enabled: channel.enabled ? "on" : undefined,
    addresses: channel.kind === "mail" ? channel.addresses.map(({ address }) => address).join("\n") : "",
    url: channel.kind === "webhook" ? channel.url : "",
  };
}
export type ChannelFormFields = ReturnType<typeof formOf>;

export const emptyForm = {
  kind: "mail" as ChannelKind,
  name: "",
  enabled: "on" as string | undefined,
  memberIds: [] as string[],
  addresses: "",
  url: "",
  secret: "",
};

/** Search among members; no field of the channel. */
export const findField = "find-member";

/** Addresses are pasted from mail programs, too, which put commas or semicolons between them. */
const linesOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);
