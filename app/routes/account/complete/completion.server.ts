import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { z } from "zod";
import { type createdAccount, newAccount, verificationRequest } from "#contracts/security-service/account.ts";
import { problemResponse } from "~/backend/answers";
import { listPlans } from "~/features/plans/list-plans.server";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { findViewer } from "~/session/guards";
import { connectForVisitor, type VisitorConnection } from "~/session/visitor";
import type { CallResult } from "../../../../services/kit/client/client.ts";

/** What a mailed link offers, as its page says it. */
export interface Offer {
  /** The address the link was mailed to, and the code will be. */
  email: string;
  details: { term: string; value: string }[];
}

/** The calls by which the pages that complete an account differ. */
export interface CompletionCalls {
  /** A refusal with 404 when the link is unknown, used or has ended. */
  find(visitor: VisitorConnection, token: string): Promise<CallResult<Offer>>;
  sendCode(visitor: VisitorConnection, body: z.output<typeof verificationRequest>): Promise<CallResult<unknown>>;
  createAccount(
    visitor: VisitorConnection,
    body: z.output<typeof newAccount>,
  ): Promise<CallResult<z.output<typeof createdAccount>>>;
}

/** A token that nobody could have been mailed is refused for its form; to the reader it is one more dead link. */
const isDead = (answer: { status: number }) => [400, 404].includes(answer.status);

export async function loadCompletion({ request, context }: LoaderFunctionArgs, calls: CompletionCalls) {
  const asked = new URL(request.url).searchParams;
  const token = asked.get("token") ?? "";
  const visitor = await connectForVisitor(context);
  const found = token ? await calls.find(visitor, token) : undefined;
  if (!found || isDead(found)) {
    return data({ offer: undefined, byInvitation: context.registersByInvitation }, { status: 404 });
  }
  if (!found.ok) throw problemResponse(found.problem);
  return data({
    offer: found.value,
    token,
    takesCode: asked.has("code"),
    codeSent: asked.get("code") === "sent",
    check: await findHumanCheck(visitor),
    viewerName: findViewer(context)?.session.fullName,
  });
}

/** Sends a code as often as it is asked for, and makes the account with the right one. */
export async function actOnCompletion({ request, context }: ActionFunctionArgs, calls: CompletionCalls) {
  const { pathname } = new URL(request.url);
  const visitor = await connectForVisitor(context);
  const form = await readVisitorForm(request);
  const pageOf = (token: string) => `${pathname}?token=${encodeURIComponent(token)}`;

  if (form.get("intent") === "sendCode") {
    const submission = parseWithZod(form, { schema: verificationRequest });
    if (submission.status !== "success") return rejected(submission);
    const sent = await calls.sendCode(visitor, submission.value);
    if (isDead(sent)) return redirect(pageOf(submission.value.token), 303);
    if (!sent.ok) return rejected(submission, sent.problem);
    // With the form's other fields in sight, what was typed into them stays.
    if (form.has("code")) return data(submission.reply());
    return redirect(`${pageOf(submission.value.token)}&code=sent`, 303);
  }

  const submission = parseWithZod(form, { schema: newAccount });
  if (submission.status !== "success") return rejected(submission);
  const created = await calls.createAccount(visitor, submission.value);
  if (isDead(created)) return redirect(pageOf(submission.value.token), 303);
  if (!created.ok) return rejected(submission, created.problem);
  const { username, serviceId } = created.value;
  const redirectTo = serviceId && (await isPaid(context, serviceId)) ? href("/billing", { serviceId }) : undefined;
  return redirect(href("/login", { registered: username, redirectTo }), 303);
}

/** What is paid for is yet to be subscribed to; unknown plans are looked at, too, rather than forgotten. */
async function isPaid(context: ActionFunctionArgs["context"], serviceId: string): Promise<boolean> {
  const plan = (await listPlans(context))?.find((one) => one.serviceId === serviceId);
  return !plan || Number(plan.price.amount) > 0;
}
