import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { sendTestLetter } from "#contracts/portal-service/mail.ts";
import { checkTarget, type targetReasons } from "#contracts/test-executioner/system.ts";
import type { Backend } from "~/backend/backend";
import { rejected } from "~/forms/submission.server";

export type TargetCheckReason = (typeof targetReasons)[number];

export interface TargetResult {
  form: "target";
  reply: SubmissionResult;
  check?: {
    isAllowed: boolean;
    reason: TargetCheckReason;
    detail: string | null;
    host: string;
    port: number;
    addresses: { address: string; isAllowed: boolean; reason: TargetCheckReason }[];
  };
}

export interface EmailResult {
  form: "letter";
  reply: SubmissionResult;
  email?: { address: string; isTaken: boolean; words: string | null };
}

export type SystemResult = TargetResult | EmailResult;

/** Handles the page's queries on the page itself; they change nothing. */
export async function handleSystemForm({ testExecutioner, portalService }: Backend, form: FormData) {
  const intent = form.get("intent");
  if (intent === "checkTarget") {
    const submission = parseWithZod(form, { schema: checkTarget.body! });
    if (submission.status !== "success") return answered("target", rejected(submission));
    const check = await testExecutioner.checkTarget({ body: submission.value });
    if (!check.ok) return answered("target", rejected(submission, check.problem));
    return { form: "target", reply: submission.reply(), check: check.value } satisfies SystemResult;
  }
  if (intent === "sendTestLetter") {
    const submission = parseWithZod(form, { schema: sendTestLetter.body! });
    if (submission.status !== "success") return answered("letter", rejected(submission));
    const email = await portalService.sendTestLetter({ body: submission.value });
    if (!email.ok) return answered("letter", rejected(submission, email.problem));
    return {
      form: "letter",
      reply: submission.reply(),
      email: { ...email.value, address: submission.value.address },
    } satisfies SystemResult;
  }
  throw new Response("No such action.", { status: 400 });
}

function answered(form: SystemResult["form"], { data: reply, init }: ReturnType<typeof rejected>) {
  return data({ form, reply } satisfies SystemResult, init ?? undefined);
}
