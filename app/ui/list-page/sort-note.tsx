import type { ReactNode } from "react";
import { soft } from "./sort-note.css";

/** Below a sorted list: which rows its order leaves out, and the way to those. */
export function SortNote({
  reset,
  label = "Newest first",
  children,
}: {
  reset: string;
  label?: string;
  children: ReactNode;
}) {
  return (
    <p className={soft}>
      {children} <a href={reset}>{label}</a>
    </p>
  );
}
