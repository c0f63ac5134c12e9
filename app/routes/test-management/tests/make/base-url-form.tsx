import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextField } from "~/ui/text-field/text-field";

interface BaseUrlFormProps {
  mayChange: boolean;
  /** For a refused base URL. */
  refused: SubmissionResult | undefined;
}

/** Asks for the base URL where the document has none; tests can be created without it. */
export function BaseUrlForm({ mayChange, refused }: BaseUrlFormProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ baseUrl: string }>({ id: "base-url", lastResult: refused ?? stored });
  const why = "Not every operation has a server with an absolute URL.";
  if (!mayChange) {
    return (
      <Notice tone="warning" title="Tests can be created, but not run yet">
        {why} Users with permission to change the API can set its base URL.
      </Notice>
    );
  }
  return (
    <>
      <FormErrorSummary form={form} />
      <Card title="Base URL" description={`${why} Until it has a base URL, tests can be created, but not run.`}>
        <Column width="form">
          <form method="post" {...getFormProps(form)}>
            <Stack gap="medium">
              <TextField
                label="Base URL"
                inputMode="url"
                code
                placeholder="https://api.example.com/v1"
                {...fieldProps(fields.baseUrl)}
              />
              <div>
                <Button name="intent" value="save-base-url">
                  Save the base URL
                </Button>
              </div>
            </Stack>
          </form>
        </Column>
      </Card>
    </>
  );
}
