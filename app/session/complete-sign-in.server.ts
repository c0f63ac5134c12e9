import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import { acceptCookies, hasConsent } from "~/session/cookies";
import { ownPath } from "~/session/redirects";
import { sessionFrom } from "~/session/session.server";
import type { AuthSession } from "~/session/stored-session";
import { connectForVisitor } from "~/session/visitor";
import { oneTimeCode } from "../../services/security-service/contract/second-factor.ts";

const codeInput = z.object({ code: oneTimeCode, challenge: z.string().min(1).max(200) });

/** Begins the session, and leads to where signing in was for. The button says so: it accepts the essential cookies. */
export function signedIn(request: Request, context: PortalContext, auth: AuthSession, form: FormData): Response {
  context.session.signIn(auth);
  context.session.consented = true;
  const headers = new Headers();
  if (!hasConsent(request)) headers.append("set-cookie", acceptCookies(context.publicOrigin.startsWith("https:")));
  return redirect(ownPath(String(form.get("redirectTo") ?? "")), { status: 303, headers });
}

/** Takes the code after the password; a challenge that has ended leads back to the password. */
export async function answerLoginCode(request: Request, context: PortalContext, form: FormData) {
  const challenge = String(form.get("challenge") ?? "");
  const redirectTo = ownPath(String(form.get("redirectTo") ?? ""));
  const submission = parseWithZod(form, { schema: codeInput });
  if (submission.status !== "success") return data({ challenge, redirectTo, reply: submission.reply() }, 422);
  const { backend, headers } = await connectForVisitor(context);
  const answer = await backend.securityService.completeLogin({ headers, body: submission.value });
  if (answer.ok) return signedIn(request, context, sessionFrom(answer.value, Date.now() / 1_000), form);
  const reply = rejected(submission, answer.problem).data;
  return data({ challenge: answer.status === 401 ? undefined : challenge, redirectTo, reply }, answer.status);
}
