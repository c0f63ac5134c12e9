import type { ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { writeTemplate } from "#libraries/template/body-template.ts";
import { writeDiscord, writeGoogleChat } from "../domain/alert/chats.ts";
import { writePagerDuty } from "../domain/alert/pager-duty.ts";
import { writeTelegram } from "../domain/alert/telegram.ts";
import { getTemplateValues } from "../domain/alert/template-values.ts";
import { writeSlack, writeTeams, writeWebhook } from "../domain/alert/written.ts";
import type { ChannelRow } from "../store/alert-channels.ts";
import type { ChannelSecrets } from "./channel-secrets.ts";

interface Written {
  /** Displayed in place of a secret. */
  key: string;
  channel: Pick<ChannelRow, "settings">;
  origin: string;
}

function writeOwnWebhook(message: AlertMessage, { channel, origin }: Written): string {
  const { template } = channel.settings;
  return template ? writeTemplate(template, getTemplateValues(message, origin)) : writeWebhook(message, origin);
}

/** The bodies that are posted, by kind. */
const writers: Record<Exclude<ChannelKind, "mail">, (message: AlertMessage, written: Written) => string> = {
  webhook: writeOwnWebhook,
  slack: (message, { origin }) => writeSlack(message, origin),
  teams: (message, { origin }) => writeTeams(message, origin),
  discord: (message, { origin }) => writeDiscord(message, origin),
  googleChat: (message, { origin }) => writeGoogleChat(message, origin),
  telegram: (message, { origin, channel }) => writeTelegram(message, origin, channel.settings.chatId ?? ""),
  pagerDuty: (message, { origin, key }) => writePagerDuty(message, origin, key),
};

/** The body as it is sent, with a word in place of a secret in it. */
export function writeDisplayedBody(
  message: AlertMessage,
  kind: Exclude<ChannelKind, "mail">,
  written: Omit<Written, "key">,
): string {
  return writers[kind](message, { ...written, key: "(the routing key)" });
}

function getContentType({ template }: ChannelRow["settings"]): string {
  const mediaType = template?.mediaType ?? "application/json";
  return mediaType === "text/plain" ? `${mediaType}; charset=utf-8` : mediaType;
}

export interface AlertRequest {
  url: string;
  headers: [name: string, value: string][];
  body: string;
}

/** The request of one attempt, without signatures. */
export function createAlertRequest(
  message: AlertMessage,
  channel: ChannelRow & { kind: Exclude<ChannelKind, "mail"> },
  { secrets, origin }: { secrets: ChannelSecrets; origin: string },
): AlertRequest {
  const address = secrets.addressOf(channel);
  if (!address) throw new Error(`The channel ${channel.id} has no address.`);
  const { kind, settings } = channel;
  const key = kind === "telegram" || kind === "pagerDuty" ? secrets.getKey(channel) : "";
  return {
    url: kind === "telegram" ? `${address.replace(/\/+$/, "")}/bot${key}/sendMessage` : address,
    headers: [["content-type", getContentType(settings)], ...(kind === "webhook" ? secrets.getHeaders(channel) : [])],
    body: writers[kind](message, { channel, origin, key }),
  };
}

/** Statuses after which the same request can't succeed: PagerDuty documents 400; Telegram's mean token or chat. */
export const finalStatuses: Partial<Record<ChannelKind, readonly number[]>> = {
  pagerDuty: [400],
  telegram: [400, 401, 403, 404],
};
