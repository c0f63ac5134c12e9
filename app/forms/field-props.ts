import type { FieldMetadata } from "@conform-to/react";

type Field = FieldMetadata<unknown, Record<string, unknown>, string[]>;

/** The props of a `ui` field from conform's metadata: name, id, submitted value and errors. */
export function fieldProps(field: Field) {
  return {
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    errors: field.errors,
  };
}

/** The same for a single checkbox. */
export function checkboxProps({ name, id, initialValue, errors }: Field) {
  return { name, id, defaultChecked: initialValue === "on", errors };
}

/** The same for a group of checkboxes: one is sent as one value, several as a list. */
export function choicesProps({ name, id, initialValue, errors }: Field) {
  const chosen = Array.isArray(initialValue)
    ? initialValue.map(String)
    : typeof initialValue === "string"
      ? [initialValue]
      : [];
  return { name, id, defaultValue: chosen.filter(Boolean), errors };
}
