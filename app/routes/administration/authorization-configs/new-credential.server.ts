import { redirect } from "@remix-run/node";
import { madeCredential } from "~/features/credentials/made-credential";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { newConfigForm } from "./config-form";

/** Leads to the form for a new credential and keeps the config's input meanwhile. @param request its form, unread */
export async function leaveForCredential(request: Request, context: PortalContext, domain: string) {
  const returnTo = await context.keepAside(request);
  return redirect(href("/administration/credentials/create", { domain: domain || undefined, returnTo }), 303);
}

/** Initial values after returning from there: the domain as typed, and the new credential. */
export function readReturn(request: Request, { kept }: PortalContext) {
  const entries = typeof kept === "object" ? kept.entries : [];
  const typed = newConfigForm.shape.domain.safeParse(entries.find(([name]) => name === "domain")?.[1]);
  const made = newConfigForm.shape.credentialId.safeParse(new URL(request.url).searchParams.get(madeCredential));
  return { typedDomain: typed.data, madeId: made.data };
}
