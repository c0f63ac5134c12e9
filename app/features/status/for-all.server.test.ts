import { expect, test } from "vitest";
import { isForAll, tagged } from "./for-all.server";

const ask = (headers: Record<string, string> = {}) => new Request("https://portal.test/status/bookshop", { headers });
const page = (words: string) =>
  new Response(words, { headers: { "content-type": "text/html", "cache-control": "public, max-age=0, s-maxage=30" } });

test("a client with the current page gets 304", async () => {
  const first = await tagged(ask(), page("up"));
  const tag = first.headers.get("etag")!;
  expect([first.status, await first.text()]).toEqual([200, "up"]);
  const again = await tagged(ask({ "if-none-match": `"other", ${tag}` }), page("up"));
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
  expect(again.headers.get("cache-control")).toContain("s-maxage");
  expect((await tagged(ask({ "if-none-match": tag }), page("down"))).status).toBe(200);
});

test("a refusal has no tag", async () => {
  expect((await tagged(ask(), new Response("gone", { status: 404 }))).headers.get("etag")).toBeNull();
});

test("only status pages and badges are public to caches", () => {
  expect(["/status/bookshop", "/status/bookshop/badge.svg", "/dashboard", "/statuses"].map(isForAll)).toEqual([
    ...[true, true, false, false],
  ]);
});
