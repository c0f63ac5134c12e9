import type { AlertKind } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { AlertWebhook } from "#contracts/test-analyzer/alert-webhooks.ts";
import type { Block } from "../../../kit/mail/email.ts";
import { escaped, shortened } from "./texts.ts";
import { describeMessage, documentHref, incidentHref, locationHref, runHref, writeSubject } from "./words.ts";

export const webhookTypes: Record<AlertKind, AlertWebhook["type"]> = {
  opened: "incident.opened",
  reminder: "incident.reminder",
  recovered: "incident.resolved",
  burning: "service_level.burning",
  steady: "service_level.steady",
  certificate: "certificate.expiring",
  test: "test",
};

/** The body of a webhook: `type`, `timestamp` and `data`, as Standard Webhooks recommends. */
export function writeWebhook(message: AlertMessage, origin: string): string {
  const { kind, at, incidents, ...data } = message;
  const body: AlertWebhook = {
    type: webhookTypes[kind],
    timestamp: at,
    data: {
      ...data,
      incidents: incidents.map((incident) => ({
        ...incident,
        incidentUrl: incidentHref(origin, incident),
        ...(incident.runId === null ? {} : { runUrl: runHref(origin, { ...incident, runId: incident.runId }) }),
        ...(incident.cause.kind === "document" ? { documentUrl: documentHref(origin, incident.cause) } : {}),
        ...(incident.cause.kind === "location" ? { locationUrl: locationHref(origin, incident.cause) } : {}),
        ...(incident.resolvedRun ? { resolvedRunUrl: runHref(origin, incident.resolvedRun) } : {}),
      })),
    },
  };
  return JSON.stringify(body);
}

/** Slack blocks. Texts from users and targets are `plain_text`, which has no mentions or links. */
export function writeSlack(message: AlertMessage, origin: string): string {
  const plain = (text: string, max: number) => ({ type: "plain_text", text: shortened(text, max), emoji: false });
  const title = writeSubject(message);
  const blocks = describeMessage(message, origin).flatMap(({ heading, lines, links }) => [
    { type: "section", text: plain([...(heading ? [heading] : []), ...lines].join("\n"), 3_000) },
    ...(links.length > 0 ? [{ type: "context", elements: links.map(writeSlackLink) }] : []),
  ]);
  return JSON.stringify({
    text: escaped(shortened(title, 300)),
    blocks: [{ type: "header", text: plain(title, 150) }, ...blocks],
  });
}

const writeSlackLink = ({ name, href }: { name: string; href: string }) => ({
  type: "mrkdwn",
  text: `<${href}|${name}>`,
});

/** An adaptive card for Teams workflows. Text runs, unlike text blocks, do not interpret Markdown. */
export function writeTeams(message: AlertMessage, origin: string): string {
  const run = (text: string, changes: object = {}) => ({ type: "TextRun", text: shortened(text, 3_000), ...changes });
  const rich = (inlines: object[]) => ({ type: "RichTextBlock", inlines });
  const paragraphs = describeMessage(message, origin);
  const body = paragraphs.flatMap(({ heading, lines }) => [
    ...(heading ? [rich([run(heading, { weight: "Bolder" })])] : []),
    ...lines.map((line) => rich([run(line)])),
  ]);
  // Teams hides more than six in a menu: the first link of each incident comes before further ones.
  const links = [0, 1, 2].flatMap((index) =>
    paragraphs.flatMap(({ heading, links: own }) => (own[index] ? [{ heading, link: own[index] }] : [])),
  );
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [rich([run(writeSubject(message), { weight: "Bolder", size: "Large" })]), ...body],
    actions: links.slice(0, 6).map(({ heading, link }) => ({
      type: "Action.OpenUrl",
      title: shortened(heading ? `${link.name}: ${heading}` : link.name, 80),
      url: link.href,
    })),
  };
  return JSON.stringify({
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
  });
}

export function writeBlocks(message: AlertMessage, origin: string, timeZone?: string): Block[] {
  return describeMessage(message, origin, timeZone).flatMap(({ heading, lines, links }): Block[] => [
    ...(heading ? [{ kind: "paragraph" as const, text: heading }] : []),
    { kind: "quote", text: lines.join("\n") },
    ...links.map(({ name, href }) => ({ kind: "button" as const, name, href })),
  ]);
}
