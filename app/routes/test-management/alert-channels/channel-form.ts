import { z } from "zod";
import {
  type AlertChannel,
  type AlertChannelInput,
  alertChannelInput,
  type ChannelKind,
  channelKinds,
  chatKinds,
  pagerDutyUrl,
  telegramUrl,
} from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertHeader } from "#contracts/test-analyzer/alert-templates.ts";
import {
  type TemplateMediaType,
  templateMediaTypes,
  templateValueNames,
} from "#contracts/test-analyzer/template-values.ts";
import { checkTemplate } from "#libraries/template/body-template.ts";

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
  /** For a webhook: the template of its body. */
  body: z.string().default(""),
  mediaType: z.enum(templateMediaTypes).default("application/json"),
  /** `Name: value`, one per line. */
  secretHeaders: z.string().default(""),
  removesHeaders: z.boolean().default(false),
  chatId: z.string().default(""),
  botToken: z.string().optional(),
  telegramUrl: z.string().default(""),
  routingKey: z.string().optional(),
  pagerDutyUrl: z.string().default(""),
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
  if (kind === "telegram" && !version && !form.botToken) error("botToken", "Enter the token of the bot");
  if (kind === "pagerDuty" && !version && !form.routingKey) error("routingKey", "Enter the integration key");
  const unsendable = kind === "webhook" && form.body && checkTemplate(form, templateValueNames);
  if (unsendable) error("body", unsendable);
});

const isChat = (kind: ChannelKind) => chatKinds.some((one) => one === kind);

export function toInput(form: ChannelFormValue): AlertChannelInput {
  const { kind, name, enabled, memberIds, url, secret, body, mediaType, secretHeaders, removesHeaders } = form;
  const named = { name, enabled };
  switch (kind) {
    case "mail":
      return { kind, ...named, memberIds, addresses: toLines(form.addresses) };
    case "webhook":
      return {
        ...{ kind, ...named, url },
        template: body.trim() ? { body, mediaType } : undefined,
        headers: toHeaders(secretHeaders) ?? (removesHeaders ? [] : undefined),
      };
    case "telegram": {
      const { telegramUrl, chatId, botToken } = form;
      return { kind, ...named, url: telegramUrl, chatId, botToken };
    }
    case "pagerDuty":
      return { kind, ...named, url: form.pagerDutyUrl, routingKey: form.routingKey };
    default:
      return { kind, ...named, url: secret };
  }
}

const urlFields: Partial<Record<ChannelKind, string>> = { telegram: "telegramUrl", pagerDuty: "pagerDutyUrl" };

/** Maps the service's paths to the form's fields, with the index for a list's item. */
export function toFieldError(form: ChannelFormValue, path: string, message: string) {
  const [field = "", index] = path.split(/\.|\[/);
  if (field === "url" && form.kind !== "webhook") return { path: [urlFields[form.kind] ?? "secret"], message };
  if (field === "template") return { path: [index === "mediaType" ? "mediaType" : "body"], message };
  if (field === "headers") {
    const line = index === undefined ? "" : `Line ${Number.parseInt(index, 10) + 1}: `;
    return { path: ["secretHeaders"], message: `${line}${message}` };
  }
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
    body: (channel.kind === "webhook" && channel.template?.body) || "",
    mediaType: (channel.kind === "webhook" && channel.template?.mediaType) || emptyForm.mediaType,
    chatId: channel.kind === "telegram" ? channel.chatId : "",
    telegramUrl: channel.kind === "telegram" ? channel.url : "",
    pagerDutyUrl: channel.kind === "pagerDuty" ? channel.url : "",
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
  body: "",
  mediaType: "application/json" as TemplateMediaType,
  secretHeaders: "",
  removesHeaders: undefined as string | undefined,
  chatId: "",
  botToken: "",
  telegramUrl,
  routingKey: "",
  pagerDutyUrl,
};

/** Search among members; not a field of the channel. */
export const findField = "find-member";

/** Undefined when none is typed. Lines that are not headers are refused by the service's rules. */
function toHeaders(text: string): AlertHeader[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length === 0) return undefined;
  return lines.map((line) => {
    const [name = "", ...rest] = line.split(":");
    return { name: name.trim(), value: rest.join(":").trim() };
  });
}

/** Addresses pasted from mail programs are separated by commas or semicolons. */
const toLines = (text: string) => text.split(/[\s,;]+/).filter(Boolean);
