import { getFormProps, useForm } from "@conform-to/react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useKeptResult } from "~/forms/use-kept-form";
import { RunKey } from "~/runs/run-key";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { BehaviourFields, type ScheduleFormFields, TimeFields } from "./schedule-fields";
import type { ScheduleAnswer, ShownPreview } from "./schedule-form.server";
import { SchedulePreview } from "./schedule-preview";

export interface ScheduleEditorProps {
  first: ScheduleFormFields;
  preview: ShownPreview | undefined;
  answer: ScheduleAnswer | undefined;
  saveLabel: string;
  cancelHref: string;
  runKey: string;
  mayWrite: boolean;
  version?: number;
  /** Where the form is sent, without the search of a dialog. */
  action?: string;
}

/** The form of a schedule, new or stored, with the times it would run at. */
export function ScheduleEditor(props: ScheduleEditorProps) {
  const { first, answer, saveLabel, cancelHref, runKey, mayWrite, version, action } = props;
  const kept = useKeptResult();
  const [form, fields] = useForm<ScheduleFormFields>({
    id: "schedule",
    lastResult: answer?.result ?? kept,
    defaultValue: first,
  });
  const preview = answer ? answer.preview : props.preview;
  return (
    <Column width="form">
      <form method="post" action={action} {...getFormProps(form)}>
        <DefaultSubmit name="intent" value="save" />
        <RunKey value={runKey} />
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <fieldset disabled={!mayWrite}>
          <Stack gap="huge">
            {!mayWrite && <Notice title="You may look at this schedule, but not change it" />}
            <FormErrorSummary form={form} />
            <TimeFields fields={fields} />
            {preview && <SchedulePreview preview={preview} />}
            <BehaviourFields fields={fields} />
            {mayWrite && (
              <Row>
                <Button variant="primary" name="intent" value="save">
                  {saveLabel}
                </Button>
                <Button name="intent" value="preview">
                  Show next runs
                </Button>
                <LinkButton href={cancelHref} variant="quiet">
                  Cancel
                </LinkButton>
              </Row>
            )}
          </Stack>
        </fieldset>
      </form>
    </Column>
  );
}
