import type { ComponentPropsWithoutRef } from "react";
import { Field } from "~/ui/field/field";
import * as field from "~/ui/field/field.css";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./text-area.css";

export interface TextAreaProps extends FieldProps, Omit<ComponentPropsWithoutRef<"textarea">, keyof FieldProps> {
  /** Monospaced without wrapping, for JSON and other code. */
  code?: boolean;
}

/** Maximum of visible lines of code, before it scrolls. */
const maxRows = 24;

/** Several lines of text. At least `rows` are visible, and of code all lines up to a maximum. */
export function TextArea(props: TextAreaProps) {
  const { label, labelHidden, hint, errors, className, code, rows = 4, ...area } = props;
  const attributes = fieldAttributes(props, props["aria-describedby"]);
  return (
    <Field {...{ label, labelHidden, hint, errors, className }} required={props.required} id={attributes.id}>
      <textarea
        {...(code && { spellCheck: false, autoCapitalize: "off", autoComplete: "off" })}
        {...area}
        {...attributes}
        rows={code ? rowsFor(String(area.value ?? area.defaultValue ?? ""), rows) : rows}
        className={joinClasses(field.control, styles.textArea, code && field.code, code && styles.code)}
      />
    </Field>
  );
}

function rowsFor(text: string, least: number): number {
  return Math.max(least, Math.min(maxRows, text.split("\n").length));
}
