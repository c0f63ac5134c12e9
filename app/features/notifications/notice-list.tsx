import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import { href } from "~/href";
import { ActionItem, ActionList } from "~/ui/action-list/action-list";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";

export interface NoticeListProps {
  notices: readonly Pick<UserNotification, "id" | "summary" | "description">[];
  /** The current page. */
  returnTo: string;
}

/** Notifications without an action, displayed until they are dismissed. */
export function NoticeList({ notices, returnTo }: NoticeListProps) {
  if (notices.length === 0) return null;
  return (
    <Card aria-label="Notifications" flush>
      <ActionList>
        {notices.map(({ id, summary, description }) => (
          <ActionItem key={id} title={summary} headingLevel={2} description={description}>
            <form method="post" action={href("/notifications/:notificationId", { notificationId: id })}>
              <input type="hidden" name="returnTo" value={returnTo} />
              <Button name="intent" value="dismiss" size="small">
                Dismiss<VisuallyHidden> “{summary}”</VisuallyHidden>
              </Button>
            </form>
          </ActionItem>
        ))}
      </ActionList>
    </Card>
  );
}
