import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import type { UserNotification } from "../../services/portal-service/contract/notifications.ts";
import * as styles from "./notice-list.css";

export interface NoticeListProps {
  notices: readonly Pick<UserNotification, "id" | "summary" | "description">[];
  /** The page it stands on. */
  returnTo: string;
}

/** Notifications that ask for nothing: they stand there until they are dismissed. */
export function NoticeList({ notices, returnTo }: NoticeListProps) {
  if (notices.length === 0) return null;
  return (
    <Card aria-label="Notifications" flush>
      <ul className={styles.list}>
        {notices.map(({ id, summary, description }) => (
          <li key={id} className={styles.item}>
            <div className={styles.words}>
              <h2 className={styles.summary}>{summary}</h2>
              <p className={styles.description}>{description}</p>
            </div>
            <form method="post" action={href("/notifications/:notificationId", { notificationId: id })}>
              <input type="hidden" name="returnTo" value={returnTo} />
              <Button name="intent" value="dismiss" size="small">
                Dismiss<VisuallyHidden> “{summary}”</VisuallyHidden>
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
