import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { createContext } from "react";
import type { TestFormValues } from "../test-form-values.ts";

export type EditorForm = FormMetadata<TestFormValues, string[]>;
export type EditorField<Value> = FieldMetadata<Value, TestFormValues, string[]>;

/** Attributes of a text field or select for its field of the form: name, id, typed value, errors. */
export function textProps(field: EditorField<string>) {
  return {
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : "",
    errors: field.errors,
  };
}

export function tickProps(field: EditorField<boolean>) {
  return { name: field.name, id: field.id, defaultChecked: field.initialValue === "on", errors: field.errors };
}

/** Names of rows, for a section that is closed. */
export function listNames(rows: EditorField<{ name: string }>[]): string {
  return rows.flatMap((row) => row.getFieldset().name.value || []).join(", ");
}

/**
 * Name of the added row, or of the list from which one was removed: without script the whole page is loaded again, and
 * `autofocus` returns the user to their position.
 */
export const JustChanged = createContext<string | undefined>(undefined);

/**
 * Ids of the sections that were open when the form was sent, separated by spaces; undefined if unknown, as without
 * script. Then sections with content are open.
 */
export const OpenSections = createContext<string | undefined>(undefined);
