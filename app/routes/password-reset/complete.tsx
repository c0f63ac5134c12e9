import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mailedToken, newPassword } from "#contracts/security-service/account.ts";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { NewPasswordField } from "~/forms/new-password-field";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { findViewer } from "~/session/guards";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkEnded } from "~/shell/link-ended";
import { SignedInAlready } from "~/shell/signed-in-already";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";

export const meta: MetaFunction = () => [{ title: "Choose a new password · API Assurance" }];

const passwordInput = z.object({ token: mailedToken, password: newPassword });

/** The token is checked only together with a new password, which then shows whether it is still valid. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  const viewerName = findViewer(context)?.session.fullName;
  return data({ token, viewerName }, { status: token ? 200 : 404 });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await readForm(request), { schema: passwordInput });
  if (submission.status !== "success") return rejected(submission);
  const { backend, headers } = await connectForVisitor(context);
  const changed = await backend.securityService.completePasswordReset({ headers, body: submission.value });
  // The redirect drops the token; the page reports the outcome.
  if (changed.status === 404) return redirect(href("/password-reset/complete"), 303);
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirect(href("/login", { passwordChanged: true }), 303);
}

export default function CompletePasswordReset() {
  const { token, viewerName } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof passwordInput>>({ id: "password", lastResult });
  if (!token) {
    return (
      <LinkEnded holds="30 minutes">
        <p>
          <a href={href("/password-reset")}>Request a new link</a>, or <a href={href("/login")}>log in</a> if you have
          changed your password already.
        </p>
      </LinkEnded>
    );
  }
  return (
    <FormPage title="Choose a new password" description="It ends all sessions of the account.">
      {viewerName ? (
        <SignedInAlready viewerName={viewerName} />
      ) : (
        <form method="post" {...getFormProps(form)}>
          <Stack gap="large">
            <FormErrorSummary form={form} />
            <input type="hidden" name="token" value={token} />
            <NewPasswordField label="New password" field={fields.password} />
            <Button variant="primary" size="large" fullWidth>
              Change password
            </Button>
          </Stack>
        </form>
      )}
    </FormPage>
  );
}
