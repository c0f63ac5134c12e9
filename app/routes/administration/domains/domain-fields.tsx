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
      hint: "For whoever manages the name's DNS. The only way to prove a wildcard.",
    },
    {
      value: "wellKnown",
      label: "File on the host",
      hint: "For whoever manages the web server. The only way to prove an IP address.",
    },
  ];
  return (
    <>
      <TextField label="Description" autoComplete="off" {...fieldProps(fields.description)} />
      <RadioGroup
        label="Proof of ownership"
        options={ways.map((way) => ({ ...way, disabled: without.includes(way.value) }))}
        {...fieldProps(fields.method)}
      />
      <RadioGroup
        label="Requests that may change something"
        hint="POST, PUT, PATCH, DELETE and other methods that are not safe. Of all domains that cover a host, wildcards included, the strictest rule counts."
        options={[
          { value: "allowed", label: "Sent", hint: "Also by schedules, pipelines and the API" },
          { value: "confirmed", label: "Sent in runs started by hand", hint: "Any other run ends blocked" },
          { value: "refused", label: "Never sent", hint: "Their tests end blocked" },
        ]}
        {...fieldProps(fields.unsafeMethods)}
      />
    </>
  );
}
