import { getFormProps, useForm } from "@conform-to/react";
import type { z } from "zod";
import type { newAccount, recaptchaToken } from "#contracts/security-service/account.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { NewPasswordField } from "~/forms/new-password-field";
import { Button, DefaultSubmit } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextField } from "~/ui/text-field/text-field";
import type { CodeFormProps } from "./ask-for-code";

type Fields = z.input<typeof newAccount> & { recaptchaToken?: z.input<typeof recaptchaToken> };

/** The code and the account in one form, so that requesting another code keeps the input. */
export function NewAccountForm({ email, token, codeSent, check, lastResult }: CodeFormProps) {
  const [form, fields] = useForm<Fields>({ id: "account", lastResult });
  return (
    <form method="post" {...getFormProps(form)}>
      <Stack gap="large">
        <DefaultSubmit name="intent" value="createAccount" />
        <FormErrorSummary form={form} />
        {(lastResult ? lastResult.status === "success" : codeSent) && (
          <Notice role="status" icon="mail" title={lastResult ? "We sent another code" : "We sent a code"}>
            Sent to {email} and is valid for 10 minutes.
          </Notice>
        )}
        <input type="hidden" name="token" value={token} />
        <Stack gap="small">
          <TextField
            label="Verification code"
            hint="Enter the 6-digit code from the latest email."
            inputMode="numeric"
            autoComplete="one-time-code"
            width="short"
            code
            {...fieldProps(fields.code)}
          />
          <div>
            <Button name="intent" value="sendCode" formNoValidate size="small" icon="refresh">
              Send another code
            </Button>
          </div>
        </Stack>
        <TextField label="Your name" autoComplete="name" {...fieldProps(fields.fullName)} />
        <TextField
          label="Username"
          hint="Letters, digits, dots, hyphens and underscores. You log in with it or with your email address."
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...fieldProps(fields.username)}
        />
        <NewPasswordField field={fields.password} />
        <Button name="intent" value="createAccount" variant="primary" size="large" fullWidth>
          Create account
        </Button>
        <HumanCheck
          check={check}
          id={fields.recaptchaToken.id}
          errors={fields.recaptchaToken.errors}
          checkedIntent="sendCode"
        />
      </Stack>
    </form>
  );
}
