import type { ReactNode } from "react";
import { Icon } from "~/ui/icon/icon";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./field-warning.css";

/** A warning about a field that does not prevent the form from being accepted. */
export function FieldWarning({ children }: { children: ReactNode }) {
  return (
    <span className={styles.warning}>
      <Icon name="warning" className={styles.icon} />
      <span>
        <VisuallyHidden>Warning: </VisuallyHidden>
        {children}
      </span>
    </span>
  );
}
