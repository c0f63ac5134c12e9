import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { escaped } from "./xml-text";

/** When the newest update came, or the page was opened. */
export const updatedAt = ({ updates, createdAt }: Pick<PublishedStatus, "updates" | "createdAt">): string =>
  updates[0]?.at ?? createdAt;

/** The updates of a status page as an Atom feed (RFC 4287). Ids of entries stay the same wherever the portal is. */
export function atomFeed(status: PublishedStatus, { pageUrl, feedUrl }: { pageUrl: string; feedUrl: string }): string {
  const entries = status.updates.map(({ id, at, kind, title, text }) =>
    [
      "<entry>",
      `<id>urn:uuid:${id}</id>`,
      `<title>${escaped(title)}</title>`,
      `<published>${at}</published><updated>${at}</updated>`,
      `<link rel="alternate" type="text/html" href="${escaped(pageUrl)}"/>`,
      `<category term="${kind}"/>`,
      `<content type="text">${escaped(text || title)}</content>`,
      "</entry>",
    ].join(""),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escaped(feedUrl)}</id>`,
    `<title>${escaped(status.title)}</title>`,
    `<updated>${updatedAt(status)}</updated>`,
    `<author><name>${escaped(status.title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(feedUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(pageUrl)}"/>`,
    ...entries,
    "</feed>",
    "",
  ].join("\n");
}
