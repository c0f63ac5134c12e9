import { Notice } from "~/ui/notice/notice";

/** What is full, and what the operator does about it. */
export function FullDiskNotice() {
  return (
    <Notice role="status" tone="danger" title="The disk of the database is full: nothing is stored">
      <p>
        Everything can be read, and nothing that was saved is lost. Runs, schedules and forms are refused, and only
        operators can log in, for five minutes at a time.
      </p>
      <p>
        With the embedded database, free up space on the disk of <code>DATA_DIRECTORY</code>, or enlarge it; storing
        stops while less than <code>DATA_RESERVE_MEGABYTES</code> is free. With PostgreSQL, do so on the disk of its
        data and of its journal (<code>pg_wal</code>). The log says how much is free. Storing then continues without a
        restart.
      </p>
    </Notice>
  );
}
