import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { atomFeed } from "./atom-feed";

const addresses = {
  pageUrl: "https://portal.example.com/status/bookshop",
  feedUrl: "https://portal.example.com/status/bookshop/feed.atom",
};
const update = {
  ...{ id: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10", at: "2026-03-10T12:00:00.000Z", kind: "opened" as const },
  ...{ title: "pay.example.com can't be reached", text: "Affects Payments." },
};
const status = { title: "Bookshop", createdAt: "2026-03-01T00:00:00.000Z", updates: [update] } as PublishedStatus;

test("each update is an entry with an id of its own, and the feed is as new as the newest", () => {
  const feed = atomFeed(status, addresses);
  expect(feed).toContain(`<id>urn:uuid:${update.id}</id>`);
  expect(feed).toContain(`<id>${addresses.feedUrl}</id>`);
  expect(feed).toContain(`<updated>${update.at}</updated>\n<author>`);
  expect(atomFeed({ ...status, updates: [] }, addresses)).toContain(`<updated>${status.createdAt}</updated>`);
  expect(atomFeed({ ...status, asOf: "2026-03-11T00:00:00.000Z" }, addresses)).toBe(feed);
});

test("a feed is well-formed XML in the namespace of Atom", () => {
  const names: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, uri }) => names.push(`${uri} ${name}`));
  parser.write(atomFeed(status, addresses)).close();
  expect(names[0]).toBe("http://www.w3.org/2005/Atom feed");
  expect(new Set(names.map((name) => name.split(" ")[0])).size).toBe(1);
});

test("every title and text is escaped", () => {
  const required = "id title published updated link category content".split(" ");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (words) => {
      const hostile = `${words}]]></content></entry><script>alert(1)</script>&bad;`;
      const written = atomFeed(
        { ...status, title: hostile, updates: [{ ...update, title: hostile, text: hostile }] },
        addresses,
      );
      const { children } = parseDocument(written, { xmlMode: true });
      const [feed] = children.filter((child) => "name" in child && child.name === "feed") as {
        children: { name?: string; children?: { name?: string }[] }[];
      }[];
      const [entry, ...others] = feed!.children.filter(({ name }) => name === "entry");
      expect(others).toEqual([]);
      expect(entry!.children!.map(({ name }) => name)).toEqual(required);
    }),
  );
});
