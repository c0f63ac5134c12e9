import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import { visuallyHidden } from "./visually-hidden.css";

/** Words for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentPropsWithoutRef<"span">) {
  return <span {...rest} className={joinClasses(visuallyHidden, className)} />;
}
