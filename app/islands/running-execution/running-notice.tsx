import { LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";

export interface RunningNoticeProps {
  /** Address of the server-sent events; a "finished" event reloads the page. */
  eventsHref: string;
  refreshHref: string;
  title: string;
  sentence: string;
}

/** A notice of work in progress. Without script a link reloads the page; with script the page reloads on its own. */
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
