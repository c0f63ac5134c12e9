import { type FormMetadata, getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { Card, type CardProps } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { type Section, sectionAddress } from "./sections";

export interface SettingsFormProps<Fields extends Record<string, unknown>> extends Pick<CardProps, "description"> {
  form: FormMetadata<Fields, string[]>;
  section: Section;
  title: string;
  intent: string;
  saveLabel: string;
  children: ReactNode;
}

/** The settings of a section with their only button, which stays in view. The browser asks before it drops changes. */
export function SettingsForm<Fields extends Record<string, unknown>>(props: SettingsFormProps<Fields>) {
  const { form, section, title, description, intent, saveLabel, children } = props;
  return (
    <form method="post" action={sectionAddress(section)} {...getFormProps(form)} {...islandAttributes("unsaved-form")}>
      <Card
        title={title}
        description={description}
        stickyFooter
        footer={
          <Button name="intent" value={intent} variant="primary">
            {saveLabel}
          </Button>
        }
      >
        <Stack gap="huge">
          <FormErrorSummary form={form} />
          {children}
        </Stack>
      </Card>
    </form>
  );
}
