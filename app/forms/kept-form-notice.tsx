import type { KeptForm } from "~/session/kept-form.server";
import { Column } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import * as styles from "./kept-form-notice.css";

/** Tells who has signed in again what became of the form they had sent. */
export function KeptFormNotice({ kept }: { kept: KeptForm | "lost" }) {
  if (kept === "lost") {
    return (
      <KeptNotice title="You were signed out before this was sent, and what you typed could not be kept">
        Nothing was changed.
      </KeptNotice>
    );
  }
  return (
    <KeptNotice title="You were signed out before this was sent">
      What you typed stands here again; nothing was sent.
      {kept.hadFiles && " Files can't be kept: choose them again."}
      {kept.hadSecrets && " Passwords and secrets are not kept: enter them again."}
    </KeptNotice>
  );
}

function KeptNotice({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Column width="page" className={styles.place}>
      <Notice role="status" tone="info" title={title}>
        {children}
      </Notice>
    </Column>
  );
}
