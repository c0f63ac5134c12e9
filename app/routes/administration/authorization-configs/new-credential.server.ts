import { redirect } from "@remix-run/node";
import { madeCredential } from "~/features/credentials/made-credential";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { newConfigForm } from "./config-form";

/** Where a credential is created for a config, which waits meanwhile as it was typed. @param request its form, unread */
export async function leaveForCredential(request: Request, context: PortalContext, domain: string) {
  const returnTo = await context.keepAside(request);
  return redirect(href("/administration/credentials/create", { domain: domain || undefined, returnTo }), 303);
}

/** What stands in the form of whoever comes back from there: the domain they had typed, and the new credential. */
export function readReturn(request: Request, { kept }: PortalContext) {
  const entries = typeof kept === "object" ? kept.entries : [];
  const typed = newConfigForm.shape.domain.safeParse(entries.find(([name]) => name === "domain")?.[1]);
  const made = newConfigForm.shape.credentialId.safeParse(new URL(request.url).searchParams.get(madeCredential));
  return { typedDomain: typed.data, madeId: made.data };
}
