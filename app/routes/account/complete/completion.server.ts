import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { z } from "zod";
import { type createdAccount, newAccount, verificationRequest } from "#contracts/security-service/account.ts";
import { problemResponse } from "~/backend/responses";
import { listPlans } from "~/features/plans/list-plans.server";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { logIn, SignInRefused } from "~/session/sign-in.server";
import { redirectWithToast } from "~/session/toast-message";
import { connectForVisitor, type VisitorConnection } from "~/session/visitor";
import type { CallResult } from "../../../../services/kit/client/client.ts";

/** The offer of a mailed link, as the page words it. */
export interface Offer {
  /** The address that received the link and will receive the code. */
  email: string;
  details: { term: string; value: string }[];
}

/** The calls that differ between the pages that complete an account. */
export interface CompletionCalls {
  /** Refused with 404 when the link is unknown, used or expired. */
  find(visitor: VisitorConnection, token: string): Promise<CallResult<Offer>>;
  sendCode(visitor: VisitorConnection, body: z.output<typeof verificationRequest>): Promise<CallResult<unknown>>;
  createAccount(
    visitor: VisitorConnection,
    body: z.output<typeof newAccount>,
  ): Promise<CallResult<z.output<typeof createdAccount>>>;
}

/** A malformed token is refused with a validation problem; for the visitor it is just another dead link. */
const isDead = (result: { status: number }) => [400, 404].includes(result.status);

export async function loadCompletion({ request, context }: LoaderFunctionArgs, calls: CompletionCalls) {
  const requested = new URL(request.url).searchParams;
  const token = requested.get("token") ?? "";
  const visitor = await connectForVisitor(context);
  const found = token ? await calls.find(visitor, token) : undefined;
  if (!found || isDead(found)) {
    return data({ offer: undefined, byInvitation: context.registersByInvitation }, { status: 404 });
  }
  if (!found.ok) throw problemResponse(found.problem);
  return data({
    offer: found.value,
    token,
    takesCode: requested.has("code"),
    codeSent: requested.get("code") === "sent",
    check: await findHumanCheck(visitor),
    viewerName: findViewer(context)?.session.fullName,
  });
}

/** Sends a code on every request, and creates the account when the code is right. */
export async function actOnCompletion({ request, context }: ActionFunctionArgs, calls: CompletionCalls) {
  const { pathname } = new URL(request.url);
  const visitor = await connectForVisitor(context);
  const form = await readVisitorForm(request);
  const getPage = (token: string) => `${pathname}?token=${encodeURIComponent(token)}`;

  if (form.get("intent") === "sendCode") {
    const submission = parseWithZod(form, { schema: verificationRequest });
    if (submission.status !== "success") return rejected(submission);
    const sent = await calls.sendCode(visitor, submission.value);
    if (isDead(sent)) return redirect(getPage(submission.value.token), 303);
    if (!sent.ok) return rejected(submission, sent.problem);
    // The other fields stay in the form, so the input is kept.
    if (form.has("code")) return data(submission.reply());
    return redirect(`${getPage(submission.value.token)}&code=sent`, 303);
  }

  const submission = parseWithZod(form, { schema: newAccount });
  if (submission.status !== "success") return rejected(submission);
  const created = await calls.createAccount(visitor, submission.value);
  if (isDead(created)) return redirect(getPage(submission.value.token), 303);
  if (!created.ok) return rejected(submission, created.problem);
  const { username, serviceId } = created.value;
  const redirectTo = serviceId && (await isPaid(context, serviceId)) ? href("/billing", { serviceId }) : undefined;
  const session = await logInNewcomer(request, context, { username, password: submission.value.password });
  if (!session) return redirect(href("/login", { registered: username, redirectTo }), 303);
  context.session.signIn(session);
  return redirectWithToast(context, redirectTo ?? href("/dashboard"), {
    title: "Your account is ready",
    message: `You are logged in as ${username}.`,
    variant: "success",
  });
}

/**
 * The session of the account that was just created, as after a login; undefined where the browser has not accepted
 * cookies or has another session, or where the login needs more than a password.
 */
async function logInNewcomer(
  request: Request,
  context: ActionFunctionArgs["context"],
  account: { username: string; password: string },
) {
  if (!hasConsent(request) || context.session.auth) return undefined;
  const { clientAddress } = context;
  const userAgent = request.headers.get("user-agent");
  try {
    return await logIn(await context.connectAsPortal(), { ...account, clientAddress, userAgent });
  } catch (error) {
    if (error instanceof SignInRefused) return undefined;
    throw error;
  }
}

/** Paid plans still need a subscription; unknown plans also lead to the pricing, so that the choice is not lost. */
async function isPaid(context: ActionFunctionArgs["context"], serviceId: string): Promise<boolean> {
  const plan = (await listPlans(context))?.find((one) => one.serviceId === serviceId);
  return !plan || Number(plan.price.amount) > 0;
}
