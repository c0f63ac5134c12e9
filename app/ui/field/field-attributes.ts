import type { ReactNode } from "react";

/**
 * The props of every field. The names are those of a conform field, so `{...getInputProps(field)}` and
 * `errors={field.errors}` fit without translation; this module does not depend on conform.
 */
export interface FieldProps {
  /** Always required; `labelHidden` keeps it for screen readers. */
  label: ReactNode;
  labelHidden?: boolean;
  name: string;
  /** The name, unless a page has two fields of the same name. */
  id?: string;
  hint?: ReactNode;
  errors?: readonly string[] | null;
  /** An explicit `false` adds "optional" to the label. */
  required?: boolean;
  className?: string;
}

export interface FieldAttributes {
  id: string;
  name: string;
  required: boolean | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** `id` of a field's hint. */
export const hintId = (fieldId: string) => `${fieldId}-description`;

/** `id` of a field's error. */
export const errorId = (fieldId: string) => `${fieldId}-error`;

/** The attributes that connect a control to its label, hint and errors. `alsoDescribedBy` is kept, before ours. */
export function fieldAttributes(props: FieldProps, alsoDescribedBy?: string): FieldAttributes {
  const id = props.id ?? props.name;
  const invalid = Boolean(props.errors?.length);
  const descriptions = [alsoDescribedBy, props.hint && hintId(id), invalid && errorId(id)].filter(Boolean);
  return {
    id,
    name: props.name,
    required: props.required || undefined,
    "aria-invalid": invalid || undefined,
    "aria-describedby": [...new Set(descriptions.join(" ").split(" "))].join(" ") || undefined,
  };
}
