import { redirect } from "@remix-run/node";
import { decodeJwt } from "jose";
import { required } from "~/backend/responses";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { findViewer, type Viewer } from "~/session/guards";
import type { BegunSignOn } from "~/session/sign-on-state";
import { endSignOnCookie, findOriginError, returnedSignOn, signOnCookie } from "~/session/single-sign-on.server";
import { redirectWithToast } from "~/session/toast-message";
import { connectForVisitor } from "~/session/visitor";

const noProvider =
  "Your organization no longer has single sign-on. Log out and choose a password with “Forgot your password?”.";

const refuse = (context: PortalContext, path: string, message: string) =>
  redirectWithToast(context, path, { title: "Not confirmed", message, variant: "danger" });

/** Redirects a user without a password to their organization's identity provider, which authenticates them again. */
export async function startConfirmation({ backend, session }: Viewer, context: PortalContext, redirectTo: string) {
  const { id: organizationId } = required(await backend.portalService.getCurrentOrganization());
  const { backend: portal, headers } = await connectForVisitor(context);
  const body = { organizationId, asksAgain: true };
  const started = await portal.securityService.startSingleSignOn({ headers, body });
  if (!started.ok) return refuse(context, redirectTo, started.status === 422 ? noProvider : started.problem.detail);
  const error = findOriginError(context, started.value.url);
  if (error) return refuse(context, redirectTo, error);
  const begun = { ...started.value, redirectTo, confirmedBy: session.id };
  const stored = { "set-cookie": signOnCookie(context, { begun }) };
  return redirect(href("/login/single-sign-on", { continue: true }), { status: 303, headers: stored });
}

/** Undefined if another user, or none, is signed in by now. */
export async function finishConfirmation(request: Request, context: PortalContext, begun: BegunSignOn) {
  const { redirectTo, confirmedBy } = begun;
  const session = findViewer(context)?.session;
  if (!session || session.id !== confirmedBy) return undefined;
  const { sid: sessionId = "" } = decodeJwt<{ sid?: string }>(session.accessToken);
  const { backend } = await connectForVisitor(context);
  const result = await backend.securityService.confirmSingleSignOn({
    body: { ...returnedSignOn(request, begun), userId: session.id, sessionId },
  });
  const response = result.ok
    ? redirectWithToast(context, redirectTo, "You are confirmed for ten minutes.")
    : refuse(context, redirectTo, result.problem.detail);
  response.headers.append("set-cookie", endSignOnCookie(context));
  return response;
}
