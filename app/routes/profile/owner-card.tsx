import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { Button, type ButtonVariant } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { CurrentPasswordField } from "./current-password-field";

export interface OwnerCardProps {
  id: string;
  intent: string;
  title: string;
  description: string;
  button: string;
  variant?: ButtonVariant;
  /** Without one, single sign-on has just authenticated the user. */
  hasPassword: boolean;
  reply: SubmissionResult | undefined;
}

/** A step reserved to the account's owner: it requires the password again. */
export function OwnerCard(props: OwnerCardProps) {
  const { id, intent, title, description, button, variant, hasPassword, reply } = props;
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
        {(hasPassword || reply) && (
          <Stack>
            <FormErrorSummary form={form} />
            {hasPassword && <CurrentPasswordField field={fields.currentPassword} />}
          </Stack>
        )}
      </Card>
    </form>
  );
}
