import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export interface AccountFormProps {
  name: string;
  email: string;
  isOwn: boolean;
  here: string;
  lastResult: SubmissionResult | undefined;
}

/** A user's name and email address; users change their own address on the profile, with password and mailbox. */
export function AccountForm({ name, email, isOwn, here, lastResult }: AccountFormProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ fullName: string; email: string }>({
    id: "account",
    lastResult: lastResult ?? stored,
    defaultValue: { fullName: name, email },
  });
  return (
    <form method="post" action={here} {...getFormProps(form)}>
      <Card
        title="Account"
        footer={
          <Button name="intent" value="save" variant="primary">
            Save
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField {...fieldProps(fields.fullName)} label="Name" required autoComplete="off" />
          {isOwn ? (
            <p>
              Your email address is changed <a href={href("/profile/email")}>on your profile</a>, with your password.
            </p>
          ) : (
            <TextField
              {...fieldProps(fields.email)}
              label="Email address"
              type="email"
              autoComplete="off"
              hint="Used for emails from the portal, including password resets. Both the old and the new address are notified of a change."
            />
          )}
        </Stack>
      </Card>
    </form>
  );
}
