import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { escaped, shortened } from "./texts.ts";
import { describeMessage, writeSubject } from "./words.ts";

/** Of a message's text, in characters after its entities are read. */
const maxText = 4_096;
const maxTitle = 500;
const maxLines = 1_500;

/** For attributes, too. */
const escapeHtml = (text: string) => escaped(text).replaceAll('"', "&quot;");

interface Part {
  html: string;
  /** Characters that count for the limit. */
  length: number;
}

const plain = (text: string): Part => ({ html: escapeHtml(text), length: text.length });
const bold = (text: string): Part => ({ html: `<b>${escapeHtml(text)}</b>`, length: text.length });

/**
 * The parameters of Telegram's sendMessage, with text in its HTML. What does not fit is left out by whole paragraphs:
 * each incident has its page in the portal.
 * https://core.telegram.org/bots/api#sendmessage
 */
export function writeTelegram(message: AlertMessage, origin: string, chatId: string): string {
  const parts = [
    bold(shortened(writeSubject(message), maxTitle)),
    ...describeMessage(message, origin).flatMap(({ heading, lines, links }) => [
      joinParts([
        ...(heading ? [bold(shortened(heading, maxTitle))] : []),
        plain(shortened(lines.join("\n"), maxLines)),
        ...links.map(({ name, href }) => ({
          html: `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>`,
          length: name.length,
        })),
      ]),
    ]),
  ];
  let length = 0;
  const kept = parts.filter((part) => {
    length += part.length + 2;
    return length <= maxText;
  });
  return JSON.stringify({
    chat_id: chatId,
    text: kept.map(({ html }) => html).join("\n\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
}

function joinParts(parts: Part[]): Part {
  return {
    html: parts.map(({ html }) => html).join("\n"),
    length: parts.reduce((sum, part) => sum + part.length + 1, 0),
  };
}
