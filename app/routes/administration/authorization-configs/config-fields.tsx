import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { href } from "~/href";
import { Select, type SelectOption } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface Choices {
  /** Credentials that may be sent to the domain. */
  fitting: SelectOption[];
  others: SelectOption[];
  /** Of the API that the config is made for. */
  schemes: SelectOption[];
}

export interface ConfigFieldsProps {
  fields: { schemeName: Metadata<string>; credentialId: Metadata<string> };
  domain: string;
  choices: Choices;
  mayCreateCredentials: boolean;
}

/** Which scheme is answered, and with which credential. */
export function ConfigFields({ fields, domain, choices, mayCreateCredentials }: ConfigFieldsProps) {
  const { fitting, others, schemes } = choices;
  const scheme = fieldProps(fields.schemeName);
  const isKnown = !scheme.defaultValue || schemes.some(({ value }) => value === scheme.defaultValue);
  return (
    <>
      {schemes.length > 0 && isKnown ? (
        <Select
          label="Security scheme"
          hint="As the API's document names it."
          placeholder="Choose a scheme"
          options={schemes}
          {...scheme}
        />
      ) : (
        <TextField
          label="Security scheme"
          hint={
            <>
              As documents name it under <code>components.securitySchemes</code>.
            </>
          }
          code
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...scheme}
        />
      )}
      <Select
        label="Credential"
        hint={
          mayCreateCredentials && (
            <>
              It has to be one that may be sent to the domain. None fits?{" "}
              <a href={href("/administration/credentials/create", { domain: domain || undefined })}>
                Create a credential
              </a>
            </>
          )
        }
        placeholder={fitting.length + others.length > 0 ? "Choose a credential" : "No credential is stored yet"}
        options={
          domain
            ? [
                { label: `May be sent to ${domain}`, options: fitting },
                { label: "For other domains", options: others },
              ].filter(({ options }) => options.length > 0)
            : others
        }
        {...fieldProps(fields.credentialId)}
      />
    </>
  );
}
