import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { Stack } from "~/ui/layout/layout";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface LocationFieldsProps {
  fields: { name: Metadata<string>; description: Metadata<string | undefined> };
}

export function LocationFields({ fields }: LocationFieldsProps) {
  return (
    <Stack gap="large">
      <TextField label="Name" placeholder="Berlin office" autoComplete="off" {...fieldProps(fields.name)} />
      <TextArea
        label="Description"
        hint="For example what is reached from there, and who runs its agents."
        required={false}
        rows={2}
        {...fieldProps(fields.description)}
      />
    </Stack>
  );
}
