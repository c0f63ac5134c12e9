import type { FieldMetadata } from "@conform-to/react";
import { z } from "zod";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

/** As a form takes it; the service verifies it. */
export const currentPassword = z.string({ error: "Enter your password" }).max(1_000, "Use at most 1,000 characters");

/** Asks the signed-in user to authenticate again; never rendered back into the page. */
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
