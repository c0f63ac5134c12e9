import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./progress.css";

export interface ProgressProps extends Omit<ComponentPropsWithoutRef<"div">, "children"> {
  id: string;
  label: ReactNode;
  labelHidden?: boolean;
  /** Omitted while the progress is unknown. */
  value?: number;
  max?: number;
  /** The value in words, such as "320 of 500". */
  valueText?: ReactNode;
  tone?: Tone;
}

/** The progress of a task, or the usage of a limit. */
export function Progress(props: ProgressProps) {
  const { id, label, labelHidden, value, max = 100, valueText, tone = "neutral", className, ...rest } = props;
  return (
    <div {...rest} className={joinClasses(styles.frame, className)}>
      <div className={styles.words}>
        <label htmlFor={id} className={styles.label}>
          {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        </label>
        {valueText && <span className={styles.value}>{valueText}</span>}
      </div>
      <progress id={id} value={value} max={max} className={joinClasses(styles.bar, styles.tone[tone])} />
    </div>
  );
}
