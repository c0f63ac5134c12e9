import { getFormProps, useForm } from "@conform-to/react";
import { type CredentialFields, newSettings } from "~/features/credentials/credential-form";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { SettingsFields } from "~/features/credentials/settings-fields";
import { fieldProps } from "~/forms/field-props";
import { Button } from "~/ui/button/button";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import type { UnansweredNeed } from "./authentication-need";

export interface StoreFormProps {
  need: UnansweredNeed;
  /** The page Authentication, which takes the form and leads back. */
  action: string;
}

/** Asks for the secret alone: host, type and names are filled in as the document has them. */
export function StoreForm({ need: { filled }, action }: StoreFormProps) {
  const { name, domain, types, settings } = filled;
  const [type] = types;
  const [form, fields] = useForm<CredentialFields>({
    id: "store-credential",
    defaultValue: { settings: { ...newSettings, ...settings } },
  });
  const isFilled = type === "apiKey";
  return (
    <Column width="form">
      <form method="post" action={action} {...getFormProps(form)}>
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="domain" value={domain} />
        <input type="hidden" name="type" value={type} />
        {isFilled && (
          <>
            <input type="hidden" name="settings.in" value={settings.in} />
            <input type="hidden" name="settings.parameterName" value={settings.parameterName} />
          </>
        )}
        <Stack>
          {!isFilled && <SettingsFields settings={fields.settings.getFieldset()} types={[type]} />}
          <TextField
            label={credentialKinds[type].secretName}
            type="password"
            autoComplete="new-password"
            hint={`It is stored encrypted, sent to ${domain} only, and never shown again.`}
            {...fieldProps(fields.secret)}
          />
          <Row>
            <Button name="intent" value="store" variant="primary">
              Store it
            </Button>
            <a href={action}>Choose another method</a>
          </Row>
        </Stack>
      </form>
    </Column>
  );
}
