import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { finishConfirmation } from "~/session/provider-confirmation.server";
import { askSecondStep } from "~/session/second-step.server";
import { SignInRefused } from "~/session/sign-in.server";
import type { BegunSignOn } from "~/session/sign-on-state";
import {
  endSignOnCookie,
  readSignOn,
  returnedSignOn,
  signInByProvider,
  signOnCookie,
} from "~/session/single-sign-on.server";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkButton } from "~/ui/button/button";
import { LoginCodeForm } from "../login-code-form";

export const meta: MetaFunction = () => [{ title: "Single sign-on · API Assurance" }];

const nowhere = { challenge: undefined, redirectTo: "", step: { app: true, passkey: null } };
const elsewhere = "This sign-in was started in another browser, was already used, or took longer than 15 minutes.";

/** The return address for the organization's provider: valid once, in the browser that started. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { begun } = readSignOn(request, context);
  const headers = new Headers({ "set-cookie": endSignOnCookie(context) });
  if (!begun) return data({ ...nowhere, reason: elsewhere }, { status: 400, headers });
  const { redirectTo, triedBy, confirmedBy } = begun;
  if (confirmedBy !== undefined) {
    const confirmed = await finishConfirmation(request, context, begun);
    if (confirmed) throw confirmed;
    return data({ ...nowhere, reason: elsewhere }, { status: 400, headers });
  }
  if (triedBy !== undefined) throw await finishTrial(request, context, begun, triedBy);
  try {
    context.session.signIn(await signInByProvider(request, begun, await connectForVisitor(context)));
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const { code, challenge, detail, status } = error.problem;
    const isHalfway = code === "second_factor_required";
    if (!isHalfway) context.log.warn({ requestId: context.requestId, code }, "single sign-on refused");
    const step = await askSecondStep(context, challenge);
    return data({ reason: detail, challenge, redirectTo, step }, { status: isHalfway ? 200 : status, headers });
  }
  return redirect(redirectTo, { status: 303, headers });
}

/** Stores the provider's claims for the page of the trial; a refusal is a result as well. */
async function finishTrial(request: Request, context: PortalContext, begun: BegunSignOn, triedBy: string) {
  const { backend } = await connectForVisitor(context);
  const result = await backend.securityService.trySingleSignOn({ body: returnedSignOn(request, begun) });
  const nothing = { email: "", claims: [], roleValues: [], roles: [], usedSecondFactor: false };
  const outcome = result.ok ? result.value : { ...nothing, fault: result.problem.detail };
  const headers = { "set-cookie": signOnCookie(context, { result: { triedBy, ...outcome } }) };
  return redirect(`${href("/organization/single-sign-on", { tried: true })}#trial`, { status: 303, headers });
}

export default function SingleSignOnReturn() {
  const { reason, challenge, redirectTo, step } = useLoaderData<typeof loader>();
  if (challenge) return <LoginCodeForm {...{ challenge, redirectTo, ...step }} afterProvider lastResult={undefined} />;
  return (
    <FormPage
      title="You are not logged in"
      description={reason}
      below={
        <p>
          <a href={href("/login")}>Log in with a password</a>
        </p>
      }
    >
      <LinkButton
        href={href("/login/single-sign-on", { redirectTo: redirectTo || undefined })}
        variant="primary"
        size="large"
        fullWidth
      >
        Try single sign-on again
      </LinkButton>
    </FormPage>
  );
}
