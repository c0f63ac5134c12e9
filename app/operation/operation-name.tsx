import { joinClasses } from "~/ui/join-classes";
import * as styles from "./operation-name.css";

export interface OperationNameProps {
  method: string;
  /** The path template. */
  path: string;
  className?: string;
}

/** Method and path, as an operation is called everywhere. */
export function OperationName({ method, path, className }: OperationNameProps) {
  return (
    <span className={joinClasses(styles.name, className)}>
      <span className={styles.method}>{method.toUpperCase()}</span> <code className={styles.path}>{path}</code>
    </span>
  );
}
