import { priorityHints, priorityLevel } from "#contracts/portal-service/outstanding.ts";
import type { Announcement } from "~/features/notifications/find-announcement.server";
import { href } from "~/href";
import { Dialog } from "~/ui/dialog/dialog";
import { Notice } from "~/ui/notice/notice";
import * as styles from "./notification-modal.css";
import { PriorityBadge, priorityLooks } from "./priority-badge";

export interface NotificationModalProps extends Announcement {
  /** The current page. */
  returnTo: string;
}

/**
 * Shows an outstanding notification to the viewer. Closing it by the cross changes nothing: it returns after the next
 * sign-in.
 */
export function NotificationModal({ notification, delayed, returnTo }: NotificationModalProps) {
  const level = priorityLevel(notification.priority);
  return (
    <Dialog
      id="notification"
      title="Action Required"
      delayed={delayed}
      closeShow
      cancelShow={false}
      message={
        <>
          <span className={styles.headline}>
            <span className={styles.summary}>{notification.summary}</span>
            <PriorityBadge level={level} />
          </span>
          <span className={styles.description}>{notification.description}</span>
        </>
      }
      action={href("/notifications/:notificationId", { notificationId: notification.id })}
      fields={{ returnTo, modal: "yes" }}
      actions={[
        { name: "Skip", style: "secondary", value: "skip" },
        { name: "Don't Show Again", style: "secondary", value: "dismiss" },
        { name: "Continue", value: "continue" },
      ]}
    >
      <Notice tone={priorityLooks[level].tone} icon="clock">
        {priorityHints[level]}
      </Notice>
    </Dialog>
  );
}
