import type { LoaderFunctionArgs } from "@remix-run/node";
import { badgeKinds, badgeSvg } from "~/features/status/badge-svg";
import { requireStatus } from "~/features/status/require-status.server";

/** A picture of a few words, for other sites to show. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const status = await requireStatus(params.address!, context);
  const shown = new URL(request.url).searchParams.get("show");
  return new Response(badgeSvg(status, badgeKinds.find((kind) => kind === shown) ?? "standing"), {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      // Sites that show pictures of others ask as seldom as this says.
      "cache-control": "public, max-age=30, s-maxage=30",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      ...(status.isNamed ? {} : { "x-robots-tag": "noindex" }),
    },
  });
}
