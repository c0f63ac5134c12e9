import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { FieldErrors, FieldHint, OptionalMark } from "~/ui/field/field";
import { errorId, hintId } from "~/ui/field/field-attributes";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./fieldset-group.css";

export interface FieldsetGroupProps extends ComponentPropsWithoutRef<"fieldset"> {
  legend: ReactNode;
  legendHidden?: boolean;
  /** `heading` for a section of a long form, `label` for a question with several boxes. */
  look?: keyof typeof styles.legend;
  hint?: ReactNode;
  errors?: readonly string[] | null;
  required?: boolean;
  /** Needed with `hint` or `errors`, whose ids derive from it. */
  id?: string;
}

/** Fields that form one question. */
export function FieldsetGroup(props: FieldsetGroupProps) {
  const { legend, legendHidden, look = "label", hint, errors, required, id = "", className, children, ...rest } = props;
  const describedBy = joinClasses(rest["aria-describedby"], hint ? hintId(id) : false, !!errors?.length && errorId(id));
  return (
    <fieldset
      {...rest}
      id={id || undefined}
      aria-describedby={describedBy}
      // Focusable, so that an error summary can link to the group and not only to its first box.
      tabIndex={id ? -1 : undefined}
      className={className}
    >
      <legend className={legendHidden ? undefined : styles.legend[look]}>
        {legendHidden ? <VisuallyHidden>{legend}</VisuallyHidden> : legend}
        {required === false && !legendHidden && <OptionalMark />}
      </legend>
      {/* In a fieldset that grows while the page loads, Chromium can leave the result of a container query unpainted. */}
      <div className={styles.content}>
        <FieldHint id={id} hint={hint} />
        {children}
        <FieldErrors id={id} errors={errors} />
      </div>
    </fieldset>
  );
}
