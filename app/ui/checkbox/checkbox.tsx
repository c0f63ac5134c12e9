import type { ComponentPropsWithoutRef } from "react";
import { FieldErrors, FieldHint } from "~/ui/field/field";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./checkbox.css";

export interface CheckboxProps
  extends Omit<FieldProps, "labelHidden">,
    Omit<ComponentPropsWithoutRef<"input">, keyof FieldProps | "type"> {}

/** A single checkbox. Sends `value` (or "on") when ticked and nothing when not. */
export function Checkbox({ label, hint, errors, className, ...input }: CheckboxProps) {
  const attributes = fieldAttributes({ label, hint, errors, ...input }, input["aria-describedby"]);
  return (
    <div className={joinClasses(styles.choice, className)}>
      <input {...input} {...attributes} type="checkbox" className={styles.box} />
      <label htmlFor={attributes.id} className={styles.label}>
        {label}
      </label>
      {hint && (
        <div className={styles.beside}>
          <FieldHint id={attributes.id} hint={hint} />
        </div>
      )}
      {errors && (
        <div className={styles.beside}>
          <FieldErrors id={attributes.id} errors={errors} />
        </div>
      )}
    </div>
  );
}
