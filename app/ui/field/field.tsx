import type { ReactNode } from "react";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./field.css";
import { errorId, type FieldProps, hintId } from "./field-attributes";

export interface FieldFrameProps extends Omit<FieldProps, "name" | "id"> {
  id: string;
  /** The control, with `fieldAttributes(props)`. */
  children: ReactNode;
}

/** Label, hint, control and errors, in reading order. */
export function Field({ id, label, labelHidden, hint, errors, required, className, children }: FieldFrameProps) {
  return (
    <div className={joinClasses(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        {required === false && !labelHidden && <OptionalMark />}
      </label>
      <FieldHint id={id} hint={hint} />
      {children}
      <FieldErrors id={id} errors={errors} />
    </div>
  );
}

/** Fields are assumed to be required; the exception is marked. */
export function OptionalMark() {
  return <span className={styles.optional}> (optional)</span>;
}

export function FieldHint({ id, hint }: { id: string; hint: ReactNode }) {
  if (!hint) return null;
  return (
    <div id={hintId(id)} className={styles.hint}>
      {hint}
    </div>
  );
}

/** The errors, one sentence per line. */
export function FieldErrors({ id, errors }: { id: string; errors: FieldProps["errors"] }) {
  if (!errors?.length) return null;
  return (
    <div id={errorId(id)} className={styles.errors}>
      <Icon name="warning" className={styles.errorIcon} />
      <div>
        <VisuallyHidden>Error: </VisuallyHidden>
        {errors.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </div>
  );
}
