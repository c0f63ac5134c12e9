import type { LoaderFunctionArgs } from "@remix-run/node";
import { atomFeed, updatedAt } from "~/features/status/atom-feed";
import { requireStatus } from "~/features/status/require-status.server";
import { href } from "~/href";

/** Announcements and incidents of a status page, for feed readers. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const address = params.address!;
  const status = await requireStatus(address, context);
  const lastModified = new Date(updatedAt(status)).toUTCString();
  const headers = {
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": "public, max-age=30, s-maxage=30",
    "last-modified": lastModified,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(status.isNamed ? {} : { "x-robots-tag": "noindex" }),
  };
  // The tag, where a reader sends it, says more than seconds do (RFC 9110, 13.1.3).
  const since = request.headers.has("if-none-match") ? null : request.headers.get("if-modified-since");
  if (since && Date.parse(since) >= Date.parse(lastModified)) return new Response(null, { status: 304, headers });
  const feed = atomFeed(status, {
    pageUrl: context.publicOrigin + href("/status/:address", { address }),
    feedUrl: context.publicOrigin + href("/status/:address/feed.atom", { address }),
  });
  return new Response(feed, { headers });
}
