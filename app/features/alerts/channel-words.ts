import type { AlertChannel, ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { BadgeProps } from "~/ui/badge/badge";
import { plural } from "~/ui/count/plural";

export const kindWords: Record<ChannelKind, string> = {
  mail: "Email",
  webhook: "Webhook",
  slack: "Slack",
  teams: "Teams",
  discord: "Discord",
  googleChat: "Google Chat",
  telegram: "Telegram",
  pagerDuty: "PagerDuty",
};

interface StateWords extends Required<Pick<BadgeProps, "tone" | "icon">> {
  word: string;
  /** Used when the last attempt's own message does not say it. */
  meaning: string;
}

export const stateWords: Record<DeliveryState, StateWords> = {
  held: { word: "Held", tone: "neutral", icon: "pause", meaning: "Waiting until quiet hours or a mute end." },
  waiting: { word: "Waiting", tone: "info", icon: "clock", meaning: "Waiting for the next attempt." },
  delivered: { word: "Delivered", tone: "success", icon: "check", meaning: "Delivered." },
  failed: { word: "Failed", tone: "danger", icon: "cross", meaning: "Not delivered. No more attempts." },
  dropped: { word: "Dropped", tone: "neutral", icon: "minus", meaning: "Resolved before it could be sent." },
};

/** The recipients of a channel: `2 members, 1 address not confirmed yet` or `hooks.slack.com`. */
export function describeTarget(channel: AlertChannel): string {
  if (channel.kind === "telegram") return `chat ${channel.chatId}`;
  if (channel.kind === "webhook" || channel.kind === "pagerDuty") return new URL(channel.url).host;
  if (channel.kind !== "mail") return channel.host;
  const { memberIds, addresses } = channel;
  const unconfirmed = addresses.filter(({ confirmedAt }) => confirmedAt === null).length;
  const confirmed = addresses.length - unconfirmed;
  return [
    memberIds.length > 0 && plural(memberIds.length, "member"),
    confirmed > 0 && plural(confirmed, "address", "addresses"),
    unconfirmed > 0 && `${plural(unconfirmed, "address", "addresses")} not confirmed yet`,
  ]
    .filter(Boolean)
    .join(", ");
}
