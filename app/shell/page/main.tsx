import type { ReactNode } from "react";
import { mainId } from "~/shell/main-id";
import * as styles from "./page.css";

/** The main content without navigation; target of the skip link. */
export function Main({ children }: { children: ReactNode }) {
  return (
    <main id={mainId} tabIndex={-1} className={styles.main}>
      {children}
    </main>
  );
}
