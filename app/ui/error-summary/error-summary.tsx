import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./error-summary.css";

export interface SummarizedError {
  message: string;
  /** `id` of the field to correct; without it the error concerns the whole form. */
  fieldId?: string;
}

export interface ErrorSummaryProps extends Omit<ComponentPropsWithoutRef<"div">, "title" | "children"> {
  errors: readonly SummarizedError[];
  title?: ReactNode;
}

/**
 * All errors of a form, at its top, each linked to its field (the pattern of GOV.UK Frontend). It takes the focus on
 * page load, by `autofocus`, so that a rejected form is announced without script.
 */
export function ErrorSummary({
  errors,
  title = "There is a problem",
  id = "error-summary",
  className,
  ...rest
}: ErrorSummaryProps) {
  if (errors.length === 0) return null;
  return (
    <div
      {...rest}
      id={id}
      role="alert"
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
      autoFocus
      className={joinClasses(styles.summary, className)}
    >
      <h2 id={`${id}-title`} className={styles.title}>
        {title}
      </h2>
      <ul className={styles.list}>
        {errors.map(({ message, fieldId }) => (
          <li key={`${fieldId} ${message}`}>
            {fieldId ? (
              <a href={`#${fieldId}`} className={styles.link}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
