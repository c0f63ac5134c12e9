import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { FormPage } from "~/shell/form-page/form-page";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export interface LoginCodeFormProps {
  /** What the sign-in goes on with. */
  challenge: string;
  redirectTo: string;
  lastResult: SubmissionResult | undefined;
}

/** The second step of signing in, where the account has a second factor. */
export function LoginCodeForm({ challenge, redirectTo, lastResult }: LoginCodeFormProps) {
  const [form, fields] = useForm<{ code: string }>({ id: "code", lastResult });
  return (
    <FormPage
      title="Enter your code"
      description="Your app shows it. Without your phone, use one of your recovery codes."
      below={
        <p>
          <a href={href("/login", { redirectTo })}>Begin with the password again</a>
        </p>
      }
    >
      <form method="post" action={href("/login")} {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <input type="hidden" name="challenge" value={challenge} />
          <input type="hidden" name="redirectTo" value={redirectTo} />
          <TextField
            label="Code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            {...fieldProps(fields.code)}
            defaultValue={undefined}
          />
          <Button name="intent" value="code" variant="primary" size="large" fullWidth>
            Log in
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
