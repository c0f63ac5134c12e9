import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { passkeyName } from "#contracts/security-service/passkeys.ts";
import { problemResponse, required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { renewSession } from "~/session/renew-session.server";
import { redirectWithToast } from "~/session/toast-message";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ConfirmCard, mustConfirm } from "../confirm-card";
import { currentPassword } from "../current-password-field";
import { OwnerCard } from "../owner-card";
import { RenameCard } from "./rename-card";

export const meta: MetaFunction = () => [{ title: "Passkey · API Assurance" }];

const here = href("/profile/passkeys");
const renameInput = z.object({ name: passkeyName });
const removeInput = z.object({ currentPassword: currentPassword.optional() });

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { listPasskeys, getOwnAccount } = backend.securityService;
  const [{ items }, account] = await Promise.all([listPasskeys().then(required), getOwnAccount().then(required)]);
  const passkey = items.find(({ id }) => id === params.passkeyId);
  if (!passkey) throw new Response("No such passkey.", { status: 404 });
  return { account, passkey, isLast: items.length === 1 };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { securityService } = (await requireViewer(request, context)).backend;
  const passkeyId = String(params.passkeyId);
  const form = await readForm(request);
  const intent = form.get("intent");
  const submission = parseWithZod(form, { schema: intent === "remove" ? removeInput : renameInput });
  if (submission.status !== "success") return data({ intent, reply: submission.reply() }, 422);
  const { value } = submission;
  const changed =
    "name" in value
      ? await securityService.renamePasskey({ params: { passkeyId }, body: value })
      : await securityService.removePasskey({ params: { passkeyId }, body: value });
  if (changed.ok) {
    await renewSession(context);
    return redirectWithToast(context, here, intent === "remove" ? "The passkey is removed." : "The name is saved.");
  }
  if (changed.status === 404) throw problemResponse(changed.problem);
  return data({ intent, reply: rejected(submission, changed.problem).data }, changed.status);
}

export default function ChangePasskey() {
  const { account, passkey, isLast } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const replyTo = (intent: string) => (result?.intent === intent ? result.reply : undefined);
  return (
    <>
      <PageHeading title={passkey.name} description="One of your passkeys." />
      <RenameCard name={passkey.name} reply={replyTo("rename")} />
      {mustConfirm(account) ? (
        <ConfirmCard title="Remove it" back={href("/profile/passkeys/:passkeyId", { passkeyId: passkey.id })} />
      ) : (
        <OwnerCard
          id="remove"
          intent="remove"
          title="Remove it"
          description={`It can no longer be used to sign in. ${isLast ? "It is your last passkey. " : ""}Delete it on your device or in your password manager as well.`}
          button="Remove the passkey"
          variant="danger"
          hasPassword={account.hasPassword}
          reply={replyTo("remove")}
        />
      )}
    </>
  );
}
