import type { FieldMetadata } from "@conform-to/react";

type Field = FieldMetadata<unknown, Record<string, unknown>, string[]>;

/** What a `ui` field needs of conform's metadata: name, id, kept value and errors. */
export function fieldProps(field: Field) {
  return {
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    errors: field.errors,
  };
}

/** The same for a checkbox of a yes or no. */
export function checkboxProps({ name, id, initialValue, errors }: Field) {
  return { name, id, defaultChecked: initialValue === "on", errors };
}

/** The same for boxes of which any may be ticked: one is sent as one value, several as a list. */
export function choicesProps({ name, id, initialValue, errors }: Field) {
  const chosen = Array.isArray(initialValue)
    ? initialValue.map(String)
    : typeof initialValue === "string"
      ? [initialValue]
      : [];
  return { name, id, defaultValue: chosen.filter(Boolean), errors };
}
