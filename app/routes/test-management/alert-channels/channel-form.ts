import { z } from "zod";
import {
  type AlertChannel,
  type AlertChannelInput,
  alertChannelInput,
  type ChannelKind,
  channelKinds,
  chatKinds,
} from "#contracts/test-analyzer/alert-channels.ts";

const fields = z.object({
  /** For a stored channel. */
  version: z.string().optional(),
  kind: z.enum(channelKinds, { error: "Choose a channel type" }),
  name: z.string().default(""),
  enabled: z.boolean().default(false),
  memberIds: z.array(z.string()).default([]),
  /** One per line. */
  addresses: z.string().default(""),
  /** For a webhook. */
  url: z.string().default(""),
  /** For chats: the address alone permits posting. */
  secret: z.string().optional(),
});
type ChannelFormValue = z.output<typeof fields>;

/** The form of a channel, validated by the service's own rules; other kinds' fields keep their input. */
export const channelForm = fields.superRefine((form, context) => {
  for (const { path, message } of alertChannelInput.safeParse(toInput(form)).error?.issues ?? []) {
    context.addIssue({ code: "custom", ...toFieldError(form, path.join("."), message) });
  }
  // Errors that the service would report only once the rest is valid.
  const error = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  const { kind, version, memberIds, addresses, secret } = form;
  if (kind === "mail" && memberIds.length === 0 && !addresses.trim()) {
    error("memberIds", "Choose a member or enter an address");
  }
  if (isChat(kind) && !version && !secret) {
    error("secret", "Enter the incoming webhook URL");
  }
});

const isChat = (kind: ChannelKind) => chatKinds.some((one) => one === kind);

export function toInput({ kind, name, enabled, memberIds, url, secret, ...form }: ChannelFormValue): AlertChannelInput {
  const named = { name, enabled };
  switch (kind) {
    case "mail":
      return { kind, ...named, memberIds, addresses: toLines(form.addresses) };
    case "webhook":
      return { kind, ...named, url };
    default:
      return { kind, ...named, url: secret };
  }
}

/** Maps the service's paths to the form's fields, with the index for a list's item. */
export function toFieldError(form: ChannelFormValue, path: string, message: string) {
  const [field = "", index] = path.split(/\.|\[/);
  if (field === "url" && form.kind !== "webhook") return { path: ["secret"], message };
  if (field !== "addresses" || index === undefined) return { path: [field], message };
  return { path: [field], message: `${toLines(form.addresses)[Number.parseInt(index, 10)]}: ${message}` };
}

/** The form's values; every field is text, as in HTML. */
export function toForm(channel: AlertChannel) {
  return {
    ...emptyForm,
    kind: channel.kind,
    name: channel.name,
    enabled: channel.enabled ? "on" : undefined,
    addresses: channel.kind === "mail" ? channel.addresses.map(({ address }) => address).join("\n") : "",
    url: channel.kind === "webhook" ? channel.url : "",
  };
}
export type ChannelFormFields = ReturnType<typeof toForm>;

export const emptyForm = {
  kind: "mail" as ChannelKind,
  name: "",
  enabled: "on" as string | undefined,
  memberIds: [] as string[],
  addresses: "",
  url: "",
  secret: "",
};

/** Search among members; not a field of the channel. */
export const findField = "find-member";

/** Addresses pasted from mail programs are separated by commas or semicolons. */
const toLines = (text: string) => text.split(/[\s,;]+/).filter(Boolean);
