import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export function RenameCard({ name, reply }: { name: string; reply: SubmissionResult | undefined }) {
  const [form, fields] = useForm<{ name: string }>({ id: "rename", lastResult: reply, defaultValue: { name } });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        title="Name"
        footer={
          <Row>
            <Button name="intent" value="rename" variant="primary">
              Save name
            </Button>
            <LinkButton href={href("/profile/passkeys")}>Cancel</LinkButton>
          </Row>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField {...fieldProps(fields.name)} label="Name" hint="Only you see it." />
        </Stack>
      </Card>
    </form>
  );
}
