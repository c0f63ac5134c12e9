import type { ComponentPropsWithoutRef } from "react";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import * as field from "~/ui/field/field.css";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import * as styles from "./moment-field.css";

export interface MomentFieldProps extends FieldProps, Omit<ComponentPropsWithoutRef<"input">, keyof FieldProps> {
  /** Attributes of the island `moment-picker`, which brings the browser's calendar. */
  island: object;
}

/**
 * A date and a time as text, such as `2026-11-27 22:00`, the same in every browser and language. With script a button
 * opens the browser's own calendar and writes what is chosen into the text.
 */
export function MomentField(props: MomentFieldProps) {
  const { label, labelHidden, hint, errors, className, island, ...input } = props;
  const attributes = fieldAttributes(props, props["aria-describedby"]);
  return (
    <Field {...{ label, labelHidden, hint, errors, className }} required={props.required} id={attributes.id}>
      <div {...island} className={styles.frame}>
        <input
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          placeholder="2026-11-27 22:00"
          {...input}
          {...attributes}
          className={field.control}
        />
        <span className={styles.picker} hidden>
          <Button type="button" icon="calendar" labelHidden>
            Choose from a calendar: {label}
          </Button>
          <input type="datetime-local" tabIndex={-1} aria-hidden="true" className={styles.native} />
        </span>
      </div>
    </Field>
  );
}
