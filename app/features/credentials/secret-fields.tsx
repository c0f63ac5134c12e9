import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { fieldProps } from "~/forms/field-props";
import { href } from "~/href";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./secret-fields.css";
import type { SecretSource } from "./secret-source";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface SecretFieldsProps {
  fields: {
    secret: Metadata<string | undefined>;
    secretFrom: Metadata<SecretSource>;
    vaultPath: Metadata<string>;
    vaultKey: Metadata<string>;
    environmentName: Metadata<string>;
  };
  /** A secret is stored and stays unless a new one is given. */
  secretSet: boolean;
  label: ReactNode;
}

const plain = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

/** The secret, or where it is read when it is needed. */
export function SecretFields({ fields, secretSet, label }: SecretFieldsProps) {
  return (
    <Stack>
      <RadioGroup
        label="The secret is"
        inline
        options={[
          { value: "stored", label: "Stored here" },
          { value: "vault", label: "From Vault" },
          { value: "environment", label: "From the worker's environment" },
        ]}
        {...fieldProps(fields.secretFrom)}
        defaultValue={fields.secretFrom.initialValue ?? "stored"}
      />
      <TextField
        label={label}
        type="password"
        autoComplete="new-password"
        hint={
          secretSet
            ? "Leave empty to keep the stored one. Changing the type, domain or token host requires it again."
            : "Stored encrypted and never shown again. Masked everywhere in results; secrets under 8 characters may mask other text."
        }
        className={styles.groups.stored}
        {...fieldProps(fields.secret)}
        defaultValue={undefined}
      />
      <FieldsetGroup legend="In Vault" legendHidden className={styles.groups.vault}>
        <Stack>
          <TextField
            label="Path"
            hint={
              <>
                Below the mount of the <a href={href("/administration/vault")}>connected Vault</a>. It is read when a
                test needs it, and kept for seconds only.
              </>
            }
            placeholder="shop/production"
            {...plain}
            {...fieldProps(fields.vaultPath)}
          />
          <TextField label="Key" placeholder="api_key" {...plain} {...fieldProps(fields.vaultKey)} />
        </Stack>
      </FieldsetGroup>
      <TextField
        label="Environment variable"
        hint="Of the process that runs tests. The operator decides how allowed names begin."
        placeholder="ASSURANCE_SECRET_SHOP"
        className={styles.groups.environment}
        {...plain}
        {...fieldProps(fields.environmentName)}
      />
    </Stack>
  );
}
