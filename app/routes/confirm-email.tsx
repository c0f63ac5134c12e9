import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { mailedToken } from "#contracts/security-service/account.ts";
import { problemResponse } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { renewSession } from "~/session/renew-session.server";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkEnded } from "~/shell/link-ended";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";

export const meta: MetaFunction = () => [{ title: "Confirm your email address · API Assurance" }];

/** A GET does not check the token: mail programs prefetch links. */
export function loader({ request }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams;
  const token = mailedToken.safeParse(requested.get("token")).data;
  const isDone = requested.has("done");
  return data({ token, isDone }, { status: token || isDone ? 200 : 404 });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = String((await readForm(request)).get("token") ?? "");
  const { backend, headers } = await connectForVisitor(context);
  const confirmed = await backend.securityService.confirmEmail({ headers, body: { token } });
  if (confirmed.ok) {
    await renewSession(context);
    return redirect(href("/confirm-email", { done: true }), 303);
  }
  if (confirmed.status === 409) return data({ fault: confirmed.problem.detail }, { status: 409 });
  if (confirmed.status >= 500) throw problemResponse(confirmed.problem);
  // The redirect drops the token; the page reports the outcome.
  return redirect(href("/confirm-email"), 303);
}

export default function ConfirmEmail() {
  const { token, isDone } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.fault;
  if (isDone) {
    return (
      <FormPage title="Your email address is changed">
        <p>
          We notified your previous address. <a href={href("/profile")}>Go to your profile</a>
        </p>
      </FormPage>
    );
  }
  if (!token) {
    return (
      <LinkEnded holds="24 hours">
        <p>
          It also expires when you request another address. <a href={href("/profile/email")}>Request a new link</a> on
          your profile.
        </p>
      </LinkEnded>
    );
  }
  return (
    <FormPage
      title="Is this your new email address?"
      description="Emails about your account will be sent to it, and you can log in with it."
      below="If you did not request this, close this page: nothing changes unless you confirm."
    >
      {error && (
        <Notice tone="danger" role="alert" title="Your address was not changed">
          {error}
        </Notice>
      )}
      <form method="post" action={href("/confirm-email")}>
        <input type="hidden" name="token" value={token} />
        <Button variant="primary" size="large" fullWidth>
          Confirm this address
        </Button>
      </form>
    </FormPage>
  );
}
