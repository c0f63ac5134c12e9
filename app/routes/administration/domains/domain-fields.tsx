import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import type { NewDomain } from "./domain-form";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface DomainFieldsProps {
  fields: {
    description: Metadata<string | undefined>;
    method: Metadata<NewDomain["method"]>;
    unsafeMethods: Metadata<NewDomain["unsafeMethods"]>;
  };
  /** Methods that can't prove this domain. */
  without?: readonly string[];
}

/** The purpose of a domain, and the method that proves it. */
export function DomainFields({ fields, without = [] }: DomainFieldsProps) {
  const ways = [
    {
      value: "dnsTxt",
      label: "DNS TXT record",
      hint: "Requires access to the domain's DNS. The only way to verify a wildcard.",
    },
    {
      value: "wellKnown",
      label: "File on the host",
      hint: "Requires access to the web server. The only way to verify an IP address.",
    },
  ];
  return (
    <>
      <TextField label="Description" autoComplete="off" {...fieldProps(fields.description)} />
      <RadioGroup
        label="Ownership verification"
        options={ways.map((way) => ({ ...way, disabled: without.includes(way.value) }))}
        {...fieldProps(fields.method)}
      />
      <RadioGroup
        label="Unsafe requests"
        hint="POST, PUT, PATCH, DELETE and other unsafe methods. If several domains cover a host, including wildcards, the strictest rule applies."
        options={[
          { value: "allowed", label: "Sent", hint: "Also in scheduled, pipeline and API runs" },
          { value: "confirmed", label: "Sent in manual runs only", hint: "Any other run ends blocked" },
          { value: "refused", label: "Never sent", hint: "Their tests are blocked" },
        ]}
        {...fieldProps(fields.unsafeMethods)}
      />
    </>
  );
}
