import type { ManagedObject } from "#contracts/code/parts.ts";
import { href } from "~/href";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";

export interface ManagedNoteProps {
  managed: Pick<ManagedObject, "repository" | "commit" | "appliedAt" | "isDrifted"> | undefined;
}

const webAddress = /^https?:\/\//;

function Repository({ repository }: { repository: string }) {
  if (repository === "") return <>a repository</>;
  return webAddress.test(repository) ? <a href={repository}>{repository}</a> : <code>{repository}</code>;
}

/** Says that files of a repository hold what the page shows. It can be changed here all the same. */
export function ManagedNote({ managed }: ManagedNoteProps) {
  if (!managed) return null;
  const { repository, commit, appliedAt, isDrifted } = managed;
  return (
    <Notice
      tone={isDrifted ? "warning" : "info"}
      title={isDrifted ? "Changed here since files were applied" : "Managed by code"}
      actions={isDrifted && <a href={href("/organization/code")}>See what differs</a>}
    >
      Files of <Repository repository={repository} /> hold it
      {commit !== "" && (
        <>
          , as of commit <code>{commit.slice(0, 12)}</code>
        </>
      )}
      , applied on <Moment value={appliedAt} />.{" "}
      {isDrifted
        ? "Take the change over into the files, or the next application of them overwrites it or is refused."
        : "Changes made here are not in the files."}
    </Notice>
  );
}
