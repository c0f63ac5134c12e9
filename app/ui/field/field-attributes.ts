import type { ReactNode } from "react";

/**
 * What every field takes. The names are those of a conform field, so `{...getInputProps(field)}` and `errors={field.errors}`
 * fit without translation; nothing here knows conform.
 */
export interface FieldProps {
  /** Always present, also where `labelHidden` keeps it for screen readers. */
  label: ReactNode;
  labelHidden?: boolean;
  name: string;
  /** The name, unless a page shows two fields of the same name. */
  id?: string;
  hint?: ReactNode;
  errors?: readonly string[] | null;
  /** An explicit `false` writes "optional" beside the label. */
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

/** `id` of the text that explains a field. */
export const hintId = (fieldId: string) => `${fieldId}-description`;

/** `id` of the text that says what is wrong with a field. */
export const errorId = (fieldId: string) => `${fieldId}-error`;

/** The attributes that tie a control to its label, hint and errors. `alsoDescribedBy` is kept, before ours. */
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
