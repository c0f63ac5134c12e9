import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { escaped, shortened } from "./texts.ts";
import { describeMessage, writeSubject } from "./words.ts";

/** Edges of embeds. */
const colors = { good: 0x2e7d32, bad: 0xc62828, other: 0x5c6470 };

function getColor({ kind }: AlertMessage): number {
  if (kind === "recovered" || kind === "steady") return colors.good;
  return kind === "test" ? colors.other : colors.bad;
}

/** In Discord's Markdown, text of users and of targets. */
const escapeMarkdown = (text: string) => text.replace(/([\\`*_~|>#()[\]-])/g, "\\$1");

/**
 * An execution of a Discord webhook: an embed for each incident, with at most 6,000 characters in all. Nothing in it
 * mentions anyone.
 * https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export function writeDiscord(message: AlertMessage, origin: string): string {
  const embeds = describeMessage(message, origin).map(({ heading, lines, links }) => ({
    ...(heading ? { title: shortened(escapeMarkdown(heading), 120) } : {}),
    description: [
      shortened(lines.map(escapeMarkdown).join("\n"), 300),
      ...links.map(({ name, href }) => `[${name}](${href})`),
    ].join("\n"),
    color: getColor(message),
  }));
  return JSON.stringify({
    content: shortened(escapeMarkdown(writeSubject(message)), 500),
    embeds: keepAllowed(embeds),
    allowed_mentions: { parse: [] },
  });
}

/** Discord refuses a message whose embeds have more characters; each incident has its page in the portal. */
function keepAllowed<Embed extends { title?: string; description: string }>(embeds: Embed[]): Embed[] {
  let characters = 0;
  return embeds.slice(0, 10).filter(({ title = "", description }) => {
    characters += title.length + description.length;
    return characters <= 6_000;
  });
}

/**
 * A message with a card for a Google Chat space, whose texts take some HTML.
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
 */
export function writeGoogleChat(message: AlertMessage, origin: string): string {
  const sections = describeMessage(message, origin).map(({ heading, lines, links }) => ({
    ...(heading ? { header: shortened(escaped(heading), 200) } : {}),
    widgets: [
      { textParagraph: { text: shortened(lines.map(escaped).join("<br>"), 3_000) } },
      ...(links.length > 0
        ? [
            {
              buttonList: {
                buttons: links.map(({ name, href }) => ({ text: name, onClick: { openLink: { url: href } } })),
              },
            },
          ]
        : []),
    ],
  }));
  const title = shortened(writeSubject(message), 200);
  return JSON.stringify({ cardsV2: [{ cardId: "alert", card: { header: { title }, sections } }] });
}
