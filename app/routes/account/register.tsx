import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkEnded } from "~/shell/link-ended";
import { LinkButton } from "~/ui/button/button";
import { Prose } from "~/ui/prose/prose";
import { ByInvitationOnly } from "./by-invitation-only";
import { actOnCompletion, loadCompletion } from "./complete/completion.server";
import { CompletionPage } from "./complete/completion-page";
import { invitationCalls } from "./complete/invitation-calls.server";

export const meta: MetaFunction = () => [{ title: "Register · API Assurance" }];

export async function loader(requested: LoaderFunctionArgs) {
  if (!new URL(requested.request.url).searchParams.has("token")) {
    requireVisitor(requested.context);
    return { offer: undefined, byInvitation: requested.context.registersByInvitation };
  }
  return await loadCompletion(requested, invitationCalls);
}

export const action = (request: ActionFunctionArgs) => actOnCompletion(request, invitationCalls);

/** Handles an invitation's link; without one, shows the ways to register. */
export default function Register() {
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const [requested] = useSearchParams();
  if (page.offer) {
    return (
      <CompletionPage
        title="You are invited"
        description="Create your account to join. You join only when you finish the last step."
        lastResult={lastResult}
        {...page}
      />
    );
  }
  if (requested.has("token")) return <InvitationEnded byInvitation={page.byInvitation} />;
  return page.byInvitation ? <ByInvitationOnly /> : <WaysIn />;
}

function InvitationEnded({ byInvitation }: { byInvitation: boolean }) {
  return (
    <LinkEnded holds="7 days">
      <p>
        Already joined? <a href={href("/login")}>Log in</a>.
      </p>
      <p>
        Otherwise ask the person who invited you for a new invitation. Only the newest one is valid.
        {!byInvitation && (
          <>
            {" "}
            You can also <a href={href("/registration-type-selection")}>register an account of your own</a>.
          </>
        )}
      </p>
    </LinkEnded>
  );
}

function WaysIn() {
  return (
    <FormPage
      title="Register"
      description="There are two ways to get an account."
      below={
        <p>
          Already registered? <a href={href("/login")}>Log in</a>
        </p>
      }
    >
      <Prose>
        <h2>You were invited</h2>
        <p>
          Check your email: the invitation contains a link that adds you to the organization. It is valid for 7 days. If
          you can't find it, ask for a new one.
        </p>
        <h2>You are starting something new</h2>
        <p>Register for yourself or for an organization, and invite others later.</p>
      </Prose>
      <LinkButton href={href("/registration-type-selection")} variant="primary" size="large" fullWidth>
        Register your own account
      </LinkButton>
    </FormPage>
  );
}
