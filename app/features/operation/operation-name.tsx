import { joinClasses } from "~/ui/join-classes";
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

const effects: Record<string, keyof typeof styles.effect> = {
  GET: "reads",
  HEAD: "reads",
  OPTIONS: "reads",
  TRACE: "reads",
  QUERY: "reads",
  POST: "creates",
  PUT: "changes",
  PATCH: "changes",
  DELETE: "deletes",
};

/** Method and path, the name of an operation on every page. */
export function OperationName({ method, path, inColumn, className }: OperationNameProps) {
  const name = method.toUpperCase();
  return (
    <span className={joinClasses(styles.name, inColumn && styles.inColumn, className)}>
      <span className={joinClasses(styles.method, styles.effect[effects[name] ?? "other"])}>{name}</span>{" "}
      <code className={styles.path}>
        <PathText path={path} />
      </code>
    </span>
  );
}
