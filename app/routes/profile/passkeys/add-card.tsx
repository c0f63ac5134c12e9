import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { CurrentPasswordField } from "../current-password-field";

/** Names the new passkey, and asks its owner for the password again. */
export function AddCard({ hasPassword, reply }: { hasPassword: boolean; reply: SubmissionResult | undefined }) {
  const [form, fields] = useForm<{ name: string; currentPassword: string }>({ id: "begin", lastResult: reply });
  return (
    <form method="post" action={href("/profile/passkeys")} {...getFormProps(form)}>
      <Card
        title="Add a passkey"
        description="Your device asks you to confirm it in the next step."
        footer={
          <Button name="intent" value="begin" variant="primary">
            Continue
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <noscript>
            <p>
              Passkeys need JavaScript. Without it, set up an{" "}
              <a href={href("/profile/second-factor")}>authenticator app</a>.
            </p>
          </noscript>
          <TextField {...fieldProps(fields.name)} label="Name" hint="For example Work laptop." />
          {hasPassword && <CurrentPasswordField field={fields.currentPassword} />}
        </Stack>
      </Card>
    </form>
  );
}
