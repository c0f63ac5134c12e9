import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ConfirmCard, mustConfirm } from "../confirm-card";
import { MadeCodes } from "../made-codes";
import { actOnPasskeys } from "./add.server";
import { AddCard } from "./add-card";
import { CreateCard } from "./create-card";
import { PasskeyTable } from "./passkey-table";

export const meta: MetaFunction = () => [{ title: "Passkeys · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const { listPasskeys, getOwnAccount } = backend.securityService;
  const [{ items }, account] = await Promise.all([listPasskeys().then(required), getOwnAccount().then(required)]);
  return { account, passkeys: items, isRequired: session.needsSecondFactor === true };
}

export const action = actOnPasskeys;

export default function Passkeys() {
  const { account, passkeys, isRequired } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <>
      <PageHeading
        title="Passkeys"
        description={`A second factor stored on your device or in your password manager: after ${account.hasPassword ? "your password" : "single sign-on"}, signing in asks for a fingerprint, your face, a PIN or a security key.`}
      />
      {result && "codes" in result ? (
        <MadeCodes codes={result.codes} isNew />
      ) : result && "options" in result ? (
        <CreateCard options={result.options} name={result.name} />
      ) : (
        <>
          {isRequired && (
            <Notice tone="warning" title="Your organization requires a second factor">
              Add a passkey, or set up an <a href={href("/profile/second-factor")}>authenticator app</a>, to continue.
            </Notice>
          )}
          {passkeys.length === 0 ? (
            <EmptyState illustration="keys" title="You have no passkeys">
              Add one per device, or one in a password manager that syncs to all of them.
            </EmptyState>
          ) : (
            <PasskeyTable passkeys={passkeys} />
          )}
          {mustConfirm(account) ? (
            <ConfirmCard title="Add a passkey" back={href("/profile/passkeys")} />
          ) : (
            <AddCard hasPassword={account.hasPassword} reply={result && "reply" in result ? result.reply : undefined} />
          )}
        </>
      )}
    </>
  );
}
