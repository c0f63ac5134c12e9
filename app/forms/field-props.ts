import type { FieldMetadata } from "@conform-to/react";

/** What a `ui` field needs of conform's metadata: name, id, kept value and errors. */
export function fieldProps(field: FieldMetadata<unknown, Record<string, unknown>, string[]>) {
  return {
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    errors: field.errors,
  };
}
