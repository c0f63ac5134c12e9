import type { ReactNode } from "react";
import { mainId } from "~/shell/main-id";
import * as styles from "./page.css";

/** What a page is about, and nothing that leads elsewhere: the skip link ends here. */
export function Main({ children }: { children: ReactNode }) {
  return (
    <main id={mainId} tabIndex={-1} className={styles.main}>
      {children}
    </main>
  );
}
