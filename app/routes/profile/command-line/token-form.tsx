import { getFormProps, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { tokenLives } from "../token-lives";

type Result = Parameters<typeof useForm>[0]["lastResult"];

/** Creates a token with the scopes of a pipeline. */
export function TokenForm({ lastResult }: { lastResult: Result }) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ name: string; expiresInDays: string }>({
    id: "token",
    lastResult: (lastResult as typeof stored) ?? stored,
    defaultValue: { name: "Pipeline", expiresInDays: "90" },
  });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        title="A token for a pipeline"
        description="Can read APIs, tests and results and run tests. Can't change anything."
        footer={<Button variant="primary">Create token</Button>}
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField
            {...fieldProps(fields.name)}
            label="Name"
            hint="Where it is used, such as the repository."
            autoComplete="off"
            required
          />
          <Select {...fieldProps(fields.expiresInDays)} label="Expires after" options={tokenLives} width="medium" />
        </Stack>
      </Card>
    </form>
  );
}
