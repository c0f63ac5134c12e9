import { joinClasses } from "~/ui/join-classes";
import { Method } from "~/ui/method/method";
import * as styles from "./operation-name.css";
import { PathText } from "./path-text";

export interface OperationNameProps {
  method: string;
  /** The path template. */
  path: string;
  /** In a list: methods are aligned in a column, and so are paths. */
  inColumn?: boolean;
  className?: string;
}

/** Method and path, the name of an operation on every page. */
export function OperationName({ method, path, inColumn, className }: OperationNameProps) {
  return (
    <span className={joinClasses(styles.name, inColumn && styles.inColumn, className)}>
      <Method method={method} className={styles.method} />{" "}
      <code className={styles.path}>
        <PathText path={path} />
      </code>
    </span>
  );
}
