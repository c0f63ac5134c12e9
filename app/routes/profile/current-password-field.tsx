import type { FieldMetadata } from "@conform-to/react";
import { z } from "zod";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

/** As a form takes it; whether it is right the service says. */
export const currentPassword = z
  .string({ error: "Enter your password" })
  .max(1_000, "A password has at most 1,000 characters");

/** Asks who is signed in to say again who they are; never given back into the page. */
export function CurrentPasswordField({ field }: { field: FieldMetadata<string, Record<string, unknown>, string[]> }) {
  return (
    <TextField
      label="Current password"
      type="password"
      autoComplete="current-password"
      {...fieldProps(field)}
      defaultValue={undefined}
    />
  );
}
