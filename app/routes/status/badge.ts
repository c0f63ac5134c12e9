import type { LoaderFunctionArgs } from "@remix-run/node";
import { badgeKinds, badgeSvg } from "~/features/status/badge-svg";
import { requireStatus } from "~/features/status/require-status.server";

/** A picture of a few words, for embedding in other sites. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const status = await requireStatus(params.address!, context);
  const displayed = new URL(request.url).searchParams.get("show");
  return new Response(badgeSvg(status, badgeKinds.find((kind) => kind === displayed) ?? "standing"), {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      // The maximum age limits how often sites that proxy pictures fetch this one.
      "cache-control": "public, max-age=30, s-maxage=30",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      ...(status.isNamed ? {} : { "x-robots-tag": "noindex" }),
    },
  });
}
