import { getFormProps, useForm } from "@conform-to/react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useKeptResult } from "~/forms/use-kept-form";
import { href } from "~/href";
import { RunKey } from "~/runs/run-key";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { ScopeFields, TimeFields } from "./window-fields";
import type { WindowFormFields } from "./window-form";
import type { ShownSpans, WindowAnswer, WindowChoices } from "./window-form.server";
import { spanWords } from "./window-words";

export interface WindowEditorProps {
  first: WindowFormFields;
  choices: WindowChoices;
  /** Of a window that is stored. */
  preview?: ShownSpans;
  answer: WindowAnswer | undefined;
  saveLabel: string;
  runKey: string;
  mayWrite: boolean;
  version?: number;
  /** Where the form is sent, without the search of a dialog. */
  action?: string;
}

/** The form of a maintenance window, new or stored, with the times it would be. */
export function WindowEditor(props: WindowEditorProps) {
  const { first, choices, answer, saveLabel, runKey, mayWrite, version, action } = props;
  const kept = useKeptResult();
  const [form, fields] = useForm<WindowFormFields>({
    id: "window",
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
            {!mayWrite && <Notice title="You may look at this window, but not change it" />}
            <FormErrorSummary form={form} />
            <ScopeFields fields={fields} choices={choices} />
            <TimeFields fields={fields} />
            {preview && <WindowPreview preview={preview} />}
            {mayWrite && (
              <Row>
                <Button variant="primary" name="intent" value="save">
                  {saveLabel}
                </Button>
                <Button name="intent" value="preview">
                  Show when it is
                </Button>
                <LinkButton href={href("/test-management/maintenance-windows")} variant="quiet">
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

function WindowPreview({ preview: { items, timeZone } }: { preview: ShownSpans }) {
  return (
    <Card id="preview" tabIndex={-1} title="The next times">
      {items.length === 0 ? (
        <Notice tone="warning">It holds nothing up: it is over already, or never comes.</Notice>
      ) : (
        <ol>
          {items.map((span) => (
            <li key={span.from}>
              {spanWords(span, timeZone)} {timeZone}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
