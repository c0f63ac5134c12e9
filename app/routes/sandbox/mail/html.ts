import type { LoaderFunctionArgs } from "@remix-run/node";
import { html } from "remix-utils/responses";
import { required } from "~/backend/responses";
import { openMailbox } from "./mailbox.server";

/** An email's HTML part as it was sent. Its content is untrusted, so it runs nothing, loads nothing and has an opaque origin. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const mailbox = await openMailbox(request, context);
  const letterId = params.letterId ?? "";
  const email = required(await mailbox.getSandboxLetter({ params: { letterId } }));
  return html(email.html, {
    headers: {
      "content-security-policy":
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    },
  });
}
