import type { ComponentPropsWithoutRef } from "react";
import { Field } from "~/ui/field/field";
import * as field from "~/ui/field/field.css";
import { type FieldProps, fieldAttributes } from "~/ui/field/field-attributes";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as widths from "~/ui/text-field/text-field.css";
import * as styles from "./select.css";

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectGroup {
  label: string;
  options: readonly SelectOption[];
}

export interface SelectProps
  extends FieldProps,
    Omit<ComponentPropsWithoutRef<"select">, keyof FieldProps | "children" | "multiple"> {
  options: readonly (SelectOption | SelectGroup)[];
  /** An empty first choice, such as "Any state". */
  placeholder?: string;
  width?: keyof typeof widths.width;
}

/** One of many. Up to five choices are easier as a `RadioGroup`. */
export function Select(props: SelectProps) {
  const { label, labelHidden, hint, errors, className, options, placeholder, width = "full", ...select } = props;
  const attributes = fieldAttributes(props, props["aria-describedby"]);
  return (
    <Field {...{ label, labelHidden, hint, errors, className }} required={props.required} id={attributes.id}>
      <div className={joinClasses(styles.frame, widths.width[width])}>
        <select {...select} {...attributes} className={joinClasses(field.control, styles.select)}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) =>
            "options" in option ? (
              <optgroup key={option.label} label={option.label}>
                {option.options.map((inner) => (
                  <Option key={inner.value} {...inner} />
                ))}
              </optgroup>
            ) : (
              <Option key={option.value} {...option} />
            ),
          )}
        </select>
        <Icon name="chevron-down" className={styles.arrow} />
      </div>
    </Field>
  );
}

function Option({ value, label, disabled }: SelectOption) {
  return (
    <option value={value} disabled={disabled}>
      {label}
    </option>
  );
}
