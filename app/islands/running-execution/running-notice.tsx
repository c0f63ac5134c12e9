import { LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";

export interface RunningNoticeProps {
  /** Server-sent events; any that says "finished" loads the page again. */
  eventsHref: string;
  refreshHref: string;
  title: string;
  sentence: string;
}

/** Something is under way. Without script one looks again by the link; with it the page does. */
export function RunningNotice({ refreshHref, title, sentence }: RunningNoticeProps) {
  return (
    <Notice
      role="status"
      tone="info"
      icon="clock"
      title={title}
      actions={
        <LinkButton href={refreshHref} size="small" icon="refresh">
          Refresh
        </LinkButton>
      }
    >
      {sentence}
    </Notice>
  );
}
