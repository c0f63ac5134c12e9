import type { FieldMetadata } from "@conform-to/react";
import { shortestPassword } from "#contracts/security-service/account.ts";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

export interface NewPasswordFieldProps {
  label?: string;
  field: FieldMetadata<string, Record<string, unknown>, string[]>;
}

/**
 * Accepts password managers and pasting, has no confirmation field, and never renders the password back into the page
 * (NIST SP 800-63B-4, section 3.1.1.2).
 */
export function NewPasswordField({ label = "Password", field }: NewPasswordFieldProps) {
  return (
    <TextField
      label={label}
      hint={`At least ${shortestPassword} characters. Tip: use four unrelated words.`}
      type="password"
      autoComplete="new-password"
      {...fieldProps(field)}
      defaultValue={undefined}
    />
  );
}
