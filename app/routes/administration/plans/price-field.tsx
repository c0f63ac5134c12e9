import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

/** The length of the trial. */
export function TrialField({ field }: { field: FieldMetadata<number | undefined, Record<string, unknown>, string[]> }) {
  return (
    <TextField
      label="Free trial, in days"
      hint="0 for none. Only for organizations that have never subscribed."
      width="short"
      inputMode="numeric"
      autoComplete="off"
      required={false}
      after="days"
      {...fieldProps(field)}
    />
  );
}

/** Monthly price of a plan. */
export function AmountField({
  field,
  currency,
}: {
  field: FieldMetadata<string, Record<string, unknown>, string[]>;
  /** The fixed value, where it can't be changed. */
  currency?: string;
}) {
  return (
    <TextField
      label={currency ? `Price a month, in ${currency}` : "Price a month"}
      hint="For example 49 or 49.50."
      width="short"
      inputMode="decimal"
      autoComplete="off"
      after={currency}
      {...fieldProps(field)}
    />
  );
}
