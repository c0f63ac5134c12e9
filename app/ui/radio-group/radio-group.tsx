import type { ReactNode } from "react";
import * as choice from "~/ui/checkbox/checkbox.css";
import { FieldHint } from "~/ui/field/field";
import { type FieldProps, hintId } from "~/ui/field/field-attributes";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./radio-group.css";

export interface Choice {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export interface RadioGroupProps extends FieldProps {
  options: readonly Choice[];
  defaultValue?: string;
  /** In one line, for single-word choices. */
  inline?: boolean;
  /** `id` of the form, if the group is outside it. */
  form?: string;
}

export interface CheckboxGroupProps extends Omit<RadioGroupProps, "defaultValue"> {
  defaultValue?: readonly string[];
}

/** One of a few choices. */
export function RadioGroup({ defaultValue, ...group }: RadioGroupProps) {
  return <Choices {...group} type="radio" isChosen={(value) => value === defaultValue} />;
}

/** Any of a few choices; every ticked one is sent under the same name. */
export function CheckboxGroup({ defaultValue = [], ...group }: CheckboxGroupProps) {
  return <Choices {...group} type="checkbox" isChosen={(value) => defaultValue.includes(value)} />;
}

interface ChoicesProps extends Omit<RadioGroupProps, "defaultValue"> {
  type: "radio" | "checkbox";
  isChosen: (value: string) => boolean;
}

function Choices(props: ChoicesProps) {
  const {
    type,
    isChosen,
    label,
    labelHidden,
    name,
    id = name,
    hint,
    errors,
    required,
    options,
    inline,
    form,
    className,
  } = props;
  return (
    <FieldsetGroup
      {...{ id, hint, errors, required, className }}
      legend={label}
      legendHidden={labelHidden}
      role={type === "radio" ? "radiogroup" : undefined}
      aria-invalid={errors?.length ? true : undefined}
    >
      <div className={inline ? styles.inline : styles.stacked}>
        {options.map((option) => {
          const optionId = `${id}-${option.value}`;
          return (
            <div key={option.value} className={joinClasses(choice.choice)}>
              <input
                type={type}
                id={optionId}
                name={name}
                form={form}
                value={option.value}
                defaultChecked={isChosen(option.value)}
                disabled={option.disabled}
                required={(type === "radio" && required) || undefined}
                aria-describedby={option.hint ? hintId(optionId) : undefined}
                className={choice.box}
              />
              <label htmlFor={optionId} className={choice.label}>
                {option.label}
              </label>
              {option.hint && (
                <div className={choice.beside}>
                  <FieldHint id={optionId} hint={option.hint} />
                </div>
              )}
            </div>
          );
        })}
      </div>
    </FieldsetGroup>
  );
}
