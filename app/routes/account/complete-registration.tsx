import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { LinkEnded } from "~/shell/link-ended";
import { actOnCompletion, loadCompletion } from "./complete/completion.server";
import { CompletionPage } from "./complete/completion-page";
import { registrationCalls } from "./complete/registration-calls.server";

export const meta: MetaFunction = () => [{ title: "Complete your account · API Assurance" }];

export async function loader(requested: LoaderFunctionArgs) {
  if (requested.context.registersByInvitation) throw redirect(href("/registration-type-selection"));
  return await loadCompletion(requested, registrationCalls);
}

export const action = (request: ActionFunctionArgs) => actOnCompletion(request, registrationCalls);

/** Target of the link in a registration mail, for individuals and organizations; the link determines which. */
export default function CompleteRegistration() {
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  if (page.offer) {
    return (
      <CompletionPage
        title="Complete your account"
        description="This is what you requested. Your account is created in the last step."
        lastResult={lastResult}
        {...page}
      />
    );
  }
  return (
    <LinkEnded holds="24 hours">
      <p>
        Already created your account? <a href={href("/login")}>Log in</a>, or{" "}
        <a href={href("/password-reset")}>choose a new password</a>.
      </p>
      <p>
        Otherwise <a href={href("/registration-type-selection")}>register again</a>; a new link is sent immediately.
      </p>
    </LinkEnded>
  );
}
