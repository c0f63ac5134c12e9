import type { ReactNode } from "react";
import { SavedFormNotice } from "~/forms/saved-form-notice";
import { AwayNotice } from "~/shell/away-notice";
import { Column, type Gap, Stack } from "~/ui/layout/layout";
import { SplitView, type SplitViewProps } from "~/ui/split-view/split-view";
import { Main } from "./main";
import * as styles from "./page.css";

export interface PageProps {
  children: ReactNode;
  gap?: Gap;
  /** Navigation within these pages. It precedes `<main>`, so that the skip link passes it. */
  sidebar?: ReactNode;
  sidebarWidth?: SplitViewProps["sidebarWidth"];
}

/** The margins and spacing of all pages. */
export function Page({ children, gap = "huge", sidebar, sidebarWidth }: PageProps) {
  const content = (
    <Stack gap={gap}>
      <SavedFormNotice />
      <AwayNotice />
      {children}
    </Stack>
  );
  if (!sidebar) {
    return (
      <Main>
        <Column width="page" className={styles.page}>
          {content}
        </Column>
      </Main>
    );
  }
  return (
    <Column width="page" className={styles.pageBesideSidebar}>
      <SplitView sidebar={sidebar} sidebarWidth={sidebarWidth}>
        <Main>{content}</Main>
      </SplitView>
    </Column>
  );
}
