import { type FormMetadata, getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";

export interface PageFormProps<Fields extends Record<string, unknown>> {
  form: FormMetadata<Fields, string[]>;
  /** The form's action, if not the address of the page. */
  action?: string;
  submitLabel: string;
  cancelHref: string;
  children: ReactNode;
}

/** The only form of a page: its errors, its fields on a card, then the submit button and the way back. */
export function PageForm<Fields extends Record<string, unknown>>(props: PageFormProps<Fields>) {
  const { form, action, submitLabel, cancelHref, children } = props;
  return (
    <Column width="form">
      <form method="post" action={action} {...getFormProps(form)}>
        <Stack gap="huge">
          <FormErrorSummary form={form} />
          <Card>{children}</Card>
          <Row>
            <Button variant="primary">{submitLabel}</Button>
            <LinkButton href={cancelHref} variant="quiet">
              Cancel
            </LinkButton>
          </Row>
        </Stack>
      </form>
    </Column>
  );
}
