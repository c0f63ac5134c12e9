import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import type { Location } from "#contracts/test-executioner/locations.ts";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { LocationFields } from "./location-fields";
import type { LocationForm } from "./location-form";

interface SettingsFormProps {
  location: Pick<Location, "name" | "description" | "version">;
  action: string;
  result: SubmissionResult | undefined;
}

/** Name and description of a location. The hidden version detects concurrent changes. */
export function SettingsForm({ location, action, result }: SettingsFormProps) {
  const { name, description, version } = location;
  const stored = useSavedResult();
  const [form, fields] = useForm<LocationForm>({
    id: "location",
    lastResult: result ?? stored,
    defaultValue: { name, description },
  });
  return (
    <Column width="form">
      <form method="post" action={action} {...getFormProps(form)}>
        <input type="hidden" name="version" value={version} />
        <Stack gap="huge">
          <FormErrorSummary form={form} />
          <Card title="Settings">
            <Stack gap="huge">
              <LocationFields fields={fields} />
              <Row>
                <Button variant="primary">Save</Button>
              </Row>
            </Stack>
          </Card>
        </Stack>
      </form>
    </Column>
  );
}
