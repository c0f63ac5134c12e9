import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { Button } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Select, type SelectOption } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { createsCredential } from "./config-form";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface Choices {
  /** Credentials that may be sent to the domain. */
  fitting: SelectOption[];
  others: SelectOption[];
  /** Schemes of the API that the config is for. */
  schemes: SelectOption[];
}

export interface ConfigFieldsProps {
  fields: { schemeName: Metadata<string>; credentialId: Metadata<string> };
  domain: string;
  choices: Choices;
  mayCreateCredentials: boolean;
  /** A credential just created for this config, which is preselected. */
  madeId: string | undefined;
}

/** The scheme, and the credential for it. */
export function ConfigFields({ fields, domain, choices, mayCreateCredentials, madeId }: ConfigFieldsProps) {
  const { fitting, others, schemes } = choices;
  const scheme = fieldProps(fields.schemeName);
  const isKnown = !scheme.defaultValue || schemes.some(({ value }) => value === scheme.defaultValue);
  return (
    <>
      {schemes.length > 0 && isKnown ? (
        <Select
          label="Security scheme"
          hint="Name used in the API's document."
          placeholder="Choose a scheme"
          options={schemes}
          {...scheme}
        />
      ) : (
        <TextField
          label="Security scheme"
          hint={
            <>
              Name used in the document under <code>components.securitySchemes</code>.
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
        hint="Choose a credential that may be sent to the domain."
        placeholder={fitting.length + others.length > 0 ? "Choose a credential" : "No credentials yet"}
        options={
          domain
            ? [
                { label: `May be sent to ${domain}`, options: fitting },
                { label: "For other domains", options: others },
              ].filter(({ options }) => options.length > 0)
            : others
        }
        {...fieldProps(fields.credentialId)}
        {...(madeId && { defaultValue: madeId })}
      />
      {mayCreateCredentials && (
        <Row justify="start">
          <Button size="small" icon="plus" name="intent" value={createsCredential} formNoValidate>
            Create a credential
          </Button>
        </Row>
      )}
    </>
  );
}
