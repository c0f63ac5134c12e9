import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Field } from "~/ui/field/field";
import * as field from "~/ui/field/field.css";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./text-field.css";

export interface TextFieldProps extends FieldProps, Omit<ComponentPropsWithoutRef<"input">, keyof FieldProps> {
  /** Expected length of the value. */
  width?: keyof typeof styles.width;
  /** Fixed text around the value, such as a scheme or a unit. Say it in the label or hint too: it is not read with the field. */
  before?: ReactNode;
  after?: ReactNode;
  /** Monospaced, for codes, paths and expressions. */
  code?: boolean;
}

/** One line of text; `type` makes it an email, number, date or password field. */
export function TextField(props: TextFieldProps) {
  const { label, labelHidden, hint, errors, className, width = "full", before, after, code, ...input } = props;
  const attributes = fieldAttributes(props, props["aria-describedby"]);
  const control = (
    <input
      type="text"
      {...input}
      {...attributes}
      className={joinClasses(
        field.control,
        styles.width[width],
        code && field.code,
        Boolean(before || after) && styles.beside,
      )}
    />
  );
  return (
    <Field {...{ label, labelHidden, hint, errors, className }} required={props.required} id={attributes.id}>
      {before || after ? (
        <div className={styles.group}>
          {before && <span className={styles.before}>{before}</span>}
          {control}
          {after && <span className={styles.after}>{after}</span>}
        </div>
      ) : (
        control
      )}
    </Field>
  );
}
