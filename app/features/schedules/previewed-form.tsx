import { type FormMetadata, getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { RunKey } from "~/features/runs/run-key";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

export interface PreviewedFormProps<Fields extends Record<string, unknown>> {
  form: FormMetadata<Fields, string[]>;
  /** Name of the edited resource, such as "schedule". */
  resource: string;
  saveLabel: string;
  previewLabel: string;
  cancelHref: string;
  runKey: string;
  mayWrite: boolean;
  /** Preview of the stored values. */
  version?: number;
  /** The form's action, without the query of a dialog. */
  action?: string;
  children: ReactNode;
}

/** A form with a preview of its effect before it is saved; read-only for viewers who may not change it. */
export function PreviewedForm<Fields extends Record<string, unknown>>(props: PreviewedFormProps<Fields>) {
  const { form, resource, saveLabel, previewLabel, cancelHref, runKey, mayWrite, version, action, children } = props;
  return (
    <Column width="form">
      <form method="post" action={action} {...getFormProps(form)}>
        <DefaultSubmit name="intent" value="save" />
        <RunKey value={runKey} />
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <fieldset disabled={!mayWrite}>
          <Stack gap="huge">
            {!mayWrite && <Notice title={`You can view this ${resource}, but not change it`} />}
            <FormErrorSummary form={form} />
            {children}
            {mayWrite && (
              <Row>
                <Button variant="primary" name="intent" value="save">
                  {saveLabel}
                </Button>
                <Button name="intent" value="preview">
                  {previewLabel}
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
