import type { ReactNode } from "react";
import { KeptFormNotice } from "~/forms/kept-form-notice";
import { AwayNotice } from "~/shell/away-notice";
import { Column, type Gap, Stack } from "~/ui/layout/layout";
import * as styles from "./page.css";

/** The margins and rhythm that all pages share. */
export function Page({ children, gap = "huge" }: { children: ReactNode; gap?: Gap }) {
  return (
    <Column width="page" className={styles.page}>
      <Stack gap={gap}>
        <KeptFormNotice />
        <AwayNotice />
        {children}
      </Stack>
    </Column>
  );
}
