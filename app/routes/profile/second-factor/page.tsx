import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { oneTimeCode } from "#contracts/security-service/second-factor.ts";
import { required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { renewSession } from "~/session/renew-session.server";
import { redirectWithToast } from "~/session/toast-message";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ConfirmCard, mustConfirm } from "../confirm-card";
import { currentPassword } from "../current-password-field";
import { MadeCodes } from "../made-codes";
import { OwnerCard } from "../owner-card";
import { FactorOn } from "./factor-on";
import { RenewCard } from "./renew-card";
import { readSetUp, toSetUp } from "./set-up.server";
import { SetUpCard } from "./set-up-card";

export const meta: MetaFunction = () => [{ title: "Second factor · API Assurance" }];

const ownerInput = z.object({ currentPassword: currentPassword.optional() });
const codeInput = z.object({ code: oneTimeCode });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const { getSecondFactor, getOwnAccount } = backend.securityService;
  const [factor, account] = await Promise.all([getSecondFactor().then(required), getOwnAccount().then(required)]);
  return { factor, account, isRequired: session.needsSecondFactor === true };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { securityService } = (await requireViewer(request, context)).backend;
  const form = await readForm(request);
  const intent = form.get("intent");
  if (intent === "confirm") {
    // The page keeps the app's secret: after a wrong code nothing has to be scanned again.
    const setUp = readSetUp(form);
    const submission = parseWithZod(form, { schema: codeInput });
    if (submission.status !== "success") return data({ setUp, reply: submission.reply() }, 422);
    const confirmed = await securityService.confirmSecondFactor({ body: submission.value });
    if (confirmed.ok) {
      await renewSession(context);
      return data({ codes: confirmed.value.recoveryCodes, isNew: true });
    }
    const { data: reply } = rejected(submission, confirmed.problem);
    return data({ setUp, reply }, confirmed.status);
  }
  const submission = parseWithZod(form, { schema: ownerInput });
  if (submission.status !== "success") return data({ reply: submission.reply(), intent }, 422);
  const body = submission.value;
  const refused = (problem: Parameters<typeof rejected>[1]) =>
    data({ reply: rejected(submission, problem).data, intent }, problem?.status ?? 422);
  if (intent === "begin") {
    const begun = await securityService.beginSecondFactor({ body });
    return begun.ok ? data({ setUp: toSetUp(begun.value.uri) }) : refused(begun.problem);
  }
  if (intent === "renew") {
    const renewed = await securityService.renewRecoveryCodes({ body });
    return renewed.ok ? data({ codes: renewed.value.recoveryCodes, isNew: false }) : refused(renewed.problem);
  }
  if (intent !== "remove") throw new Response("No such action.", { status: 400 });
  const removed = await securityService.removeSecondFactor({ body });
  if (!removed.ok) return refused(removed.problem);
  await renewSession(context);
  return redirectWithToast(context, href("/profile/second-factor"), "The second factor is switched off.");
}

const offTitle = ({ passkeys }: { passkeys: number }) => (passkeys > 0 ? "No app is set up" : "Disabled");

export default function SecondFactor() {
  const { factor, account, isRequired } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { hasPassword } = account;
  const reply = result && "reply" in result ? result.reply : undefined;
  const intent = result && "intent" in result ? result.intent : undefined;
  return (
    <>
      <PageHeading
        title="Second factor"
        description={
          <>
            After {hasPassword ? "your password" : "single sign-on"}, signing in asks for a code from an app on your
            phone, or for one of your <a href={href("/profile/passkeys")}>passkeys</a>.
          </>
        }
      />
      {isRequired && (
        <Notice tone="warning" title="Your organization requires a second factor">
          Set up an app here, or <a href={href("/profile/passkeys")}>add a passkey</a>, to continue. Until then you can
          only open your profile.
        </Notice>
      )}
      {result && "codes" in result ? (
        <MadeCodes codes={result.codes} isNew={result.isNew} />
      ) : factor.enabled ? (
        <FactorOn {...{ factor, account, reply, intent }} />
      ) : result && "setUp" in result && result.setUp ? (
        <SetUpCard setUp={result.setUp} reply={reply} />
      ) : mustConfirm(account) ? (
        <ConfirmCard title={offTitle(factor)} back={href("/profile/second-factor")} />
      ) : (
        <>
          <OwnerCard
            id="begin"
            intent="begin"
            title={offTitle(factor)}
            description="Have an authenticator app ready, e.g. from Google, Microsoft, Apple or a password manager."
            button="Set it up"
            variant="primary"
            hasPassword={hasPassword}
            reply={intent === "renew" ? undefined : reply}
          />
          {factor.passkeys > 0 && (
            <RenewCard
              {...{ left: factor.recoveryCodesLeft, hasPassword }}
              reply={intent === "renew" ? reply : undefined}
            />
          )}
        </>
      )}
    </>
  );
}
