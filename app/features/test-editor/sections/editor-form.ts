import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { createContext } from "react";
import type { TestFormValues } from "../test-form-values.ts";

export type EditorForm = FormMetadata<TestFormValues, string[]>;
export type EditorField<Value> = FieldMetadata<Value, TestFormValues, string[]>;

/** What a text field or select needs of its place in the form: name, id, what was typed, what is wrong. */
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

/**
 * Name of the row that was just added, or of the list one was removed from: without script the page comes back as a whole, and
 * `autofocus` brings the reader to where they were.
 */
export const JustChanged = createContext<string | undefined>(undefined);

/**
 * Ids of the sections that were open when the form was sent, with spaces between them; undefined where nobody could say, as
 * without script. Then sections that say something are open.
 */
export const OpenSections = createContext<string | undefined>(undefined);
