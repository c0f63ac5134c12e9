import type { LoaderFunctionArgs } from "@remix-run/node";
import { required } from "~/backend/answers";
import { openMailbox } from "./mailbox.server";

/** A letter's HTML part as it was sent. Others' words stand in it, so it runs nothing, loads nothing and is nobody's origin. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const mailbox = await openMailbox(request, context);
  const letterId = params.letterId ?? "";
  const { html } = required(await mailbox.getSandboxLetter({ params: { letterId } }));
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    },
  });
}
