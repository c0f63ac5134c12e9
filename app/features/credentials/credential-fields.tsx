import type { FieldMetadata } from "@conform-to/react";
import { type CredentialType, credentialTypes } from "#contracts/security-service/credential-types/settings.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { fieldProps } from "~/forms/field-props";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./credential-fields.css";
import type { CredentialFields as Fields } from "./credential-form";
import { SecretFields, type SecretFieldsProps } from "./secret-fields";
import { SettingsFields } from "./settings-fields";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface CredentialFieldsProps {
  fields: SecretFieldsProps["fields"] & {
    name: Metadata<string>;
    domain: Metadata<string>;
    type: Metadata<Fields["type"]>;
    settings: Metadata<Fields["settings"]>;
  };
  /** A secret is stored and stays unless a new one is given. */
  secretSet: boolean;
  /** The types to choose from; by default all. */
  types?: readonly CredentialType[];
}

const toOption = (value: CredentialType) => {
  const { name, hint } = credentialKinds[value];
  return { value, label: name, hint };
};

/** The page contains all types' fields; CSS hides those of other types. */
export function CredentialFields({ fields, secretSet, types = credentialTypes }: CredentialFieldsProps) {
  return (
    <Stack gap="huge">
      <TextField label="Name" hint="Tests refer to it by this name." autoComplete="off" {...fieldProps(fields.name)} />
      <TextField
        label="Domain"
        hint={
          <>
            Host, e.g. <code>api.example.com</code>; with <code>*.</code> in front, all its subdomains. Nothing is ever
            sent elsewhere.
          </>
        }
        code
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        {...fieldProps(fields.domain)}
      />
      {types.length === 1 ? (
        <input type="hidden" name={fields.type.name} value={types[0]} />
      ) : (
        <RadioGroup label="Type" options={types.map(toOption)} {...fieldProps(fields.type)} />
      )}
      <SettingsFields settings={fields.settings.getFieldset()} types={types} />
      <SecretFields
        fields={fields}
        secretSet={secretSet}
        label={types.length === 1 ? credentialKinds[types[0]!].secretName : <SecretName />}
      />
    </Stack>
  );
}

function SecretName() {
  return (
    <>
      <span className={styles.anySecretName}>Password, token, key, client secret or private key</span>
      {credentialTypes.map((type) => (
        <span key={type} className={styles.secretNames[type]}>
          {credentialKinds[type].secretName}
        </span>
      ))}
    </>
  );
}
