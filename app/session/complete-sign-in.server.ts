import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { oneTimeCode } from "#contracts/security-service/second-factor.ts";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { acceptCookies, hasConsent } from "~/session/cookies";
import { saidAtForm } from "~/session/credential.server";
import { ownPath } from "~/session/redirects";
import { askSecondStep, passkeyInput } from "~/session/second-step.server";
import { sessionFrom } from "~/session/session.server";
import type { AuthSession } from "~/session/stored-session";
import { keepTimeZone } from "~/session/time-zone";
import { connectForVisitor } from "~/session/visitor";

const codeInput = z.object({ code: oneTimeCode, challenge: z.string().min(1).max(200) });

/**
 * Starts the session, and redirects to the page that required it. The button says that it accepts the essential
 * cookies.
 */
export function signedIn(request: Request, context: PortalContext, auth: AuthSession, form: FormData): Response {
  context.session.signIn(auth);
  context.session.consented = true;
  const headers = new Headers();
  const secure = context.publicOrigin.startsWith("https:");
  if (!hasConsent(request)) {
    for (const cookie of [acceptCookies(secure), ...keepTimeZone(form, secure)]) headers.append("set-cookie", cookie);
  }
  // Nothing can be stored: what an operator has to see first is what is full.
  const target = auth.refreshToken
    ? ownPath(String(form.get("redirectTo") ?? ""))
    : href("/administration/system-configuration");
  return redirect(target, { status: 303, headers });
}

/** Verifies the code after the password; an expired challenge leads back to the password. */
export async function handleLoginCode(request: Request, context: PortalContext, form: FormData) {
  const submission = parseWithZod(form, { schema: codeInput });
  const goOn = (challenge: string | undefined, reply: SubmissionResult, status: number) =>
    askAgain(context, form, { challenge, reply, status });
  if (submission.status !== "success") return await goOn(challengeIn(form), submission.reply(), 422);
  const { backend, headers } = await connectForVisitor(context);
  const result = await backend.securityService.completeLogin({ headers, body: submission.value });
  if (result.ok) return signedIn(request, context, sessionFrom(result.value, Date.now() / 1_000), form);
  return await goOn(stillWaiting(form, result.status), rejected(submission, result.problem).data, result.status);
}

/** Verifies a passkey after the password. */
export async function handleLoginPasskey(request: Request, context: PortalContext, form: FormData) {
  const submission = parseWithZod(form, { schema: passkeyInput });
  const goOn = (challenge: string | undefined, reply: SubmissionResult, status: number) =>
    askAgain(context, form, { challenge, reply, status });
  if (submission.status !== "success") return await goOn(challengeIn(form), saidAtForm(submission), 422);
  const { backend, headers } = await connectForVisitor(context);
  const result = await backend.securityService.completePasskeyLogin({ headers, body: submission.value });
  if (result.ok) return signedIn(request, context, sessionFrom(result.value, Date.now() / 1_000), form);
  return await goOn(stillWaiting(form, result.status), saidAtForm(submission, result.problem), result.status);
}

const challengeIn = (form: FormData) => String(form.get("challenge") ?? "");
const stillWaiting = (form: FormData, status: number) => (status === 401 ? undefined : challengeIn(form));

interface ActionRequest {
  challenge: string | undefined;
  reply: SubmissionResult | undefined;
  status: number;
}

/** The second step with its error; without a challenge the first step. */
export async function askAgain(context: PortalContext, form: FormData, { challenge, reply, status }: ActionRequest) {
  const redirectTo = ownPath(String(form.get("redirectTo") ?? ""));
  const afterProvider = form.get("afterProvider") === "yes";
  return data({ challenge, redirectTo, afterProvider, reply, step: await askSecondStep(context, challenge) }, status);
}
