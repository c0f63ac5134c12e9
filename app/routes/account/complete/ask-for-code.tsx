import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { useLocation } from "@remix-run/react";
import type { z } from "zod";
import type { verificationRequest } from "#contracts/security-service/account.ts";
import type { HumanCheck as Check } from "#contracts/security-service/human-check.ts";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";

/** State of the page that a mailed link opens: first this form, then the one that takes the code. */
export interface CodeFormProps {
  email: string;
  token: string;
  /** A code has just been mailed. */
  codeSent: boolean;
  check: Check | undefined;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** A link may have been forwarded or seen by others; the code proves who reads the mailbox now. */
export function AskForCode({ email, token, check, lastResult }: CodeFormProps) {
  const [form, fields] = useForm<z.input<typeof verificationRequest>>({ id: "code", lastResult });
  const { pathname } = useLocation();
  return (
    <form method="post" {...getFormProps(form)}>
      <Stack gap="large">
        <FormErrorSummary form={form} />
        <p>
          First we send a six-digit code to <strong>{email}</strong>, to verify that the address is yours.
        </p>
        <input type="hidden" name="token" value={token} />
        <Button name="intent" value="sendCode" variant="primary" size="large" fullWidth>
          Send the code
        </Button>
        <p>
          <a href={`${pathname}?token=${encodeURIComponent(token)}&code=known`}>I already have a code</a>
        </p>
        <HumanCheck check={check} id={fields.recaptchaToken.id} errors={fields.recaptchaToken.errors} />
      </Stack>
    </form>
  );
}
