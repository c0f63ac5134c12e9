import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { Button, type ButtonVariant } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { CurrentPasswordField } from "../current-password-field";

export interface PasswordCardProps {
  id: string;
  intent: string;
  title: string;
  description: string;
  button: string;
  variant?: ButtonVariant;
  reply: SubmissionResult | undefined;
}

/** A step that wants the password again. */
export function PasswordCard({ id, intent, title, description, button, variant, reply }: PasswordCardProps) {
  const [form, fields] = useForm<{ currentPassword: string }>({ id, lastResult: reply });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        title={title}
        description={description}
        footer={
          <Button name="intent" value={intent} variant={variant}>
            {button}
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <CurrentPasswordField field={fields.currentPassword} />
        </Stack>
      </Card>
    </form>
  );
}
