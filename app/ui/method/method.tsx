import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./method.css";

const tints: Record<string, keyof typeof styles.tint> = {
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

export interface MethodProps extends Omit<ComponentPropsWithoutRef<"span">, "children"> {
  /** Case-insensitive. */
  method: string;
}

/** An HTTP method, equally wide in every row of a list. */
export function Method({ method, className, ...rest }: MethodProps) {
  const name = method.toUpperCase();
  return (
    <span {...rest} className={joinClasses(styles.method, styles.tint[tints[name] ?? "other"], className)}>
      {name}
    </span>
  );
}
