import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

export interface CronFieldProps {
  label: string;
  /** Example expressions with their meaning. */
  examples: ReactNode;
  field: FieldMetadata<string, Record<string, unknown>, string[]>;
  className?: string;
}

export function CronField({ label, examples, field, className }: CronFieldProps) {
  return (
    <TextField
      label={label}
      hint={<>Minute, hour, day of month, month, day of week. {examples}</>}
      code
      autoCapitalize="none"
      autoComplete="off"
      className={className}
      {...fieldProps(field)}
    />
  );
}
