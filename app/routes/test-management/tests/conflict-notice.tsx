import type { Conflict } from "~/features/test-editor/editor-props";
import { Button, LinkButton } from "~/ui/button/button";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";

export interface ConflictNoticeProps {
  conflict: Conflict;
  theirsHref: string;
}

/** Another user saved first: the input stays below, and the user chooses between the two. */
export function ConflictNotice({ conflict, theirsHref }: ConflictNoticeProps) {
  const { version, updatedAt, differences } = conflict;
  return (
    <Notice
      tone="warning"
      role="alert"
      title="Someone else saved this test while you were editing"
      actions={
        <>
          <Button form="test" name="overwrite" value={version}>
            Save mine over theirs
          </Button>
          <LinkButton href={theirsHref}>Discard mine and show theirs</LinkButton>
        </>
      }
    >
      Theirs was saved on <Moment value={updatedAt} />.{" "}
      {differences.length > 0
        ? `It differs from yours in: ${differences.join(", ")}.`
        : "It's identical to yours, so there is nothing to save."}{" "}
      Your input is still below.
    </Notice>
  );
}
