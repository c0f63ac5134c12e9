import type { ComponentPropsWithoutRef } from "react";
import { Field } from "~/ui/field/field";
import * as field from "~/ui/field/field.css";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./file-field.css";

export interface FileFieldProps
  extends FieldProps,
    Omit<ComponentPropsWithoutRef<"input">, keyof FieldProps | "type" | "defaultValue"> {}

/** One file, or several with `multiple`. Its form needs `encType="multipart/form-data"`; files can be dropped on it. */
export function FileField(props: FileFieldProps) {
  const { label, labelHidden, hint, errors, className, ...input } = props;
  const attributes = fieldAttributes(props, props["aria-describedby"]);
  return (
    <Field {...{ label, labelHidden, hint, errors, className }} required={props.required} id={attributes.id}>
      <input {...input} {...attributes} type="file" className={joinClasses(field.control, styles.file)} />
    </Field>
  );
}
