import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./credential-fields.css";
import type { CredentialFields as Fields } from "./credential-form";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface CredentialFieldsProps {
  fields: {
    name: Metadata<string>;
    domain: Metadata<string>;
    type: Metadata<Fields["type"]>;
    settings: Metadata<Fields["settings"]>;
    secret: Metadata<string | undefined>;
  };
  /** A secret is stored already and stays unless a new one is given. */
  secretSet: boolean;
}

/** All types' fields stand in the page; style leaves those of the chosen type. */
export function CredentialFields({ fields, secretSet }: CredentialFieldsProps) {
  const { username, in: place, parameterName } = fields.settings.getFieldset();
  return (
    <Stack gap="huge">
      <TextField label="Name" hint="Tests choose it by this name." autoComplete="off" {...fieldProps(fields.name)} />
      <TextField
        label="Domain"
        hint={
          <>
            The host it is sent to, such as <code>api.example.com</code>; with <code>*.</code> in front, all its
            subdomains. Nothing is ever sent elsewhere.
          </>
        }
        code
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        {...fieldProps(fields.domain)}
      />
      <RadioGroup
        label="Type"
        options={[
          { value: "basic", label: "Basic", hint: "A user name and a password" },
          { value: "bearer", label: "Bearer", hint: "A token, sent in the header Authorization" },
          { value: "apiKey", label: "API key", hint: "A key in a header, query parameter or cookie" },
        ]}
        {...fieldProps(fields.type)}
      />
      <FieldsetGroup legend={<GroupName>Basic only</GroupName>} className={styles.groupOf.basic}>
        <TextField
          label="User name"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...fieldProps(username)}
        />
      </FieldsetGroup>
      <FieldsetGroup legend={<GroupName>API key only</GroupName>} className={styles.groupOf.apiKey}>
        <Stack>
          <RadioGroup
            label="Sent in"
            inline
            options={[
              { value: "header", label: "Header" },
              { value: "query", label: "Query parameter" },
              { value: "cookie", label: "Cookie" },
            ]}
            {...fieldProps(place)}
          />
          <TextField
            label="Name of the header, parameter or cookie"
            placeholder="X-API-Key"
            code
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            {...fieldProps(parameterName)}
          />
        </Stack>
      </FieldsetGroup>
      <TextField
        label={<SecretName />}
        type="password"
        autoComplete="new-password"
        hint={
          secretSet
            ? "Leave it empty to keep the stored one. Another type or domain asks for it again."
            : "It is stored encrypted and never shown again. Results hide it wherever it comes; with fewer than 8 characters that hides parts of other words too."
        }
        {...fieldProps(fields.secret)}
        defaultValue={undefined}
      />
    </Stack>
  );
}

function GroupName({ children }: { children: string }) {
  return <span className={styles.groupName}>{children}</span>;
}

function SecretName() {
  return (
    <>
      <span className={styles.anySecretName}>Password, token or key</span>
      <span className={styles.secretNameOf.basic}>Password</span>
      <span className={styles.secretNameOf.bearer}>Token</span>
      <span className={styles.secretNameOf.apiKey}>Key</span>
    </>
  );
}
