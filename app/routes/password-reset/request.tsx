import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { emailAddress, recaptchaToken } from "#contracts/security-service/account.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { MailNotice } from "~/shell/mail-notice";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Forgot your password · API Assurance" }];

const resetInput = z.object({ email: emailAddress, recaptchaToken });

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireVisitor(context);
  return {
    sent: new URL(request.url).searchParams.has("sent"),
    mailboxIsOpen: context.mailbox === "open",
    check: await findHumanCheck(await connectForVisitor(context)),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  requireVisitor(context);
  const submission = parseWithZod(await readVisitorForm(request), { schema: resetInput });
  if (submission.status !== "success") return rejected(submission);
  const { backend, headers } = await connectForVisitor(context);
  const result = await backend.securityService.requestPasswordReset({ headers, body: submission.value });
  if (!result.ok) return rejected(submission, result.problem);
  return redirect(href("/password-reset", { sent: true }), 303);
}

export default function RequestPasswordReset() {
  const { sent, mailboxIsOpen, check } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  if (!sent || lastResult) return <ResetForm check={check} lastResult={lastResult} />;
  return (
    <MailNotice
      contents="If an account has this address, we sent it a link to choose a new password."
      holds="30 minutes"
      startOver={href("/password-reset")}
      mailboxIsOpen={mailboxIsOpen}
    />
  );
}

interface ResetFormProps {
  check: ReturnType<typeof useLoaderData<typeof loader>>["check"];
  lastResult: ReturnType<typeof useActionData<typeof action>>;
}

function ResetForm({ check, lastResult }: ResetFormProps) {
  const [form, fields] = useForm<z.input<typeof resetInput>>({ id: "reset", lastResult });
  return (
    <FormPage
      title="Forgot your password?"
      description="We'll email you a link to choose a new one."
      below={
        <p>
          Remembered it? <a href={href("/login")}>Log in</a>
        </p>
      }
    >
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <TextField
            label="Email address"
            hint="Your account's email address."
            type="email"
            autoComplete="email"
            {...fieldProps(fields.email)}
          />
          <Button variant="primary" size="large" fullWidth>
            Email me a link
          </Button>
          <HumanCheck check={check} id={fields.recaptchaToken.id} errors={fields.recaptchaToken.errors} />
        </Stack>
      </form>
    </FormPage>
  );
}
