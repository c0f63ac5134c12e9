import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { newPassword } from "#contracts/security-service/account.ts";
import { required } from "~/backend/responses";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { NewPasswordField } from "~/forms/new-password-field";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CurrentPasswordField, currentPassword } from "./current-password-field";
import { NoPasswordCard } from "./no-password-card";

export const meta: MetaFunction = () => [{ title: "Password · API Assurance" }];

const passwordInput = z.object({ currentPassword, password: newPassword });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return required(await backend.securityService.getOwnAccount());
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, passwordInput);
  if (submission.status !== "success") return rejected(submission);
  const changed = await backend.securityService.changeOwnPassword({ body: submission.value });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(context, href("/profile"), "Your password is changed. Every other session has ended.");
}

export default function Password() {
  const { username, email, hasPassword, takesPassword } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<z.input<typeof passwordInput>>({
    id: "password",
    lastResult: useActionData<typeof action>(),
  });
  if (!hasPassword) {
    return (
      <>
        <PageHeading title="Password" />
        <NoPasswordCard {...{ email, takesPassword }} />
      </>
    );
  }
  return (
    <>
      <PageHeading title="Password" description="Changing it signs you out of all other sessions." />
      <form method="post" {...getFormProps(form)}>
        <Card footer={<Button variant="primary">Change password</Button>}>
          <Stack>
            <FormErrorSummary form={form} />
            {/* Tells password managers whose password it is. */}
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <CurrentPasswordField field={fields.currentPassword} />
            <NewPasswordField label="New password" field={fields.password} />
          </Stack>
        </Card>
      </form>
    </>
  );
}
