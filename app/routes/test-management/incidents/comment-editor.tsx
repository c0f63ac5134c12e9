import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { RunKey } from "~/features/runs/run-key";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button } from "~/ui/button/button";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { TextArea } from "~/ui/text-area/text-area";

export interface CommentEditorProps {
  /** The incident's page. */
  here: string;
  result: SubmissionResult | undefined;
  runKey: string;
}

/** The comment field of an incident. */
export function CommentEditor({ here, result, runKey }: CommentEditorProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ text: string }>({ id: "comment", lastResult: result ?? stored });
  return (
    <form method="post" action={`${here}#timeline`} {...getFormProps(form)}>
      <RunKey value={runKey} />
      <Column width="form">
        <Stack gap="small">
          <FormErrorSummary form={form} />
          <TextArea
            label="Comment"
            hint="For your organization: neither alerts nor status pages contain it."
            rows={2}
            {...fieldProps(fields.text)}
          />
          <Row>
            <Button name="intent" value="comment">
              Add comment
            </Button>
          </Row>
        </Stack>
      </Column>
    </form>
  );
}
