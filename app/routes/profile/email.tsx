import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { emailAddress } from "#contracts/security-service/account.ts";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { ConfirmCard, mustConfirm } from "./confirm-card";
import { CurrentPasswordField, currentPassword } from "./current-password-field";

export const meta: MetaFunction = () => [{ title: "Email · API Assurance" }];

const emailInput = z.object({ email: emailAddress, currentPassword: currentPassword.optional() });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return required(await backend.securityService.getOwnAccount());
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const form = await readForm(request);
  const here = href("/profile/email");
  if (form.get("intent") === "cancel") {
    required(await backend.securityService.cancelOwnEmail());
    return redirectWithToast(context, here, "Your email address stays as it is.");
  }
  const submission = parseWithZod(form, { schema: emailInput });
  if (submission.status !== "success") return rejected(submission);
  const requested = await backend.securityService.changeOwnEmail({ body: submission.value });
  if (!requested.ok) return rejected(submission, requested.problem);
  return redirectWithToast(context, here, `We sent a confirmation link to ${submission.value.email}.`);
}

export default function Email() {
  const account = useLoaderData<typeof loader>();
  const { email, newEmail } = account;
  const stored = useSavedResult();
  const [form, fields] = useForm<z.input<typeof emailInput>>({
    id: "email",
    lastResult: useActionData<typeof action>() ?? stored,
  });
  return (
    <>
      <PageHeading title="Email" description={email ? `Emails go to ${email}.` : "Your account has no address yet."} />
      {newEmail && (
        <Notice title={`${newEmail.email} is not confirmed yet`}>
          <Stack gap="small">
            <p>
              Open the link in the email sent there; it is valid until <Moment value={newEmail.expiresAt} />. A new
              request replaces this one.
            </p>
            <form method="post">
              <Button name="intent" value="cancel" size="small">
                Keep {email ? "the old address" : "it without address"}
              </Button>
            </form>
          </Stack>
        </Notice>
      )}
      {mustConfirm(account) ? (
        <ConfirmCard title="Change it" back={href("/profile/email")} />
      ) : (
        <form method="post" {...getFormProps(form)}>
          <Card
            footer={
              <Row>
                <Button variant="primary">Email me a link</Button>
                <LinkButton href={href("/profile")}>Cancel</LinkButton>
              </Row>
            }
          >
            <Stack>
              <FormErrorSummary form={form} />
              <TextField
                {...fieldProps(fields.email)}
                label="New email address"
                hint="We email a link there. Your address changes once you open it, and we notify the old one."
                type="email"
                autoComplete="email"
              />
              {account.hasPassword && <CurrentPasswordField field={fields.currentPassword} />}
            </Stack>
          </Card>
        </form>
      )}
    </>
  );
}
