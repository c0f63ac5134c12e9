import type { Session } from "#contracts/security-service/sessions.ts";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Ago } from "~/ui/moment/ago";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";

type DisplayedSession = Omit<Session, "userAgent"> & { browser: string };

const columnsAt = (now: string): Column<DisplayedSession>[] => [
  {
    key: "browser",
    header: "Browser",
    rowHeader: true,
    cell: ({ browser, current }) => (
      <Row>
        {browser}
        {current && <Badge tone="info">This session</Badge>}
      </Row>
    ),
  },
  { key: "created", header: "Signed in", cell: ({ createdAt }) => <Ago value={createdAt} now={now} /> },
  { key: "used", header: "Last used", cell: ({ lastUsedAt }) => <Ago value={lastUsedAt} now={now} /> },
  { key: "expires", header: "Expires", cell: ({ expiresAt }) => <Moment value={expiresAt} /> },
  { key: "end", header: "End", headerHidden: true, tight: true, cell: (session) => <EndSession session={session} /> },
];

export function SessionTable({ sessions, now }: { sessions: readonly DisplayedSession[]; now: string }) {
  return (
    <Table caption="Sessions" captionHidden bare columns={columnsAt(now)} rows={sessions} rowKey={({ id }) => id} />
  );
}

function EndSession({ session: { id, browser, createdAt, current } }: { session: DisplayedSession }) {
  return (
    <form method="post">
      <input type="hidden" name="sessionId" value={id} />
      {current ? (
        <Button name="intent" value="logout" size="small">
          Log out
        </Button>
      ) : (
        <Button name="intent" value="end" size="small">
          End
          <VisuallyHidden>
            {" "}
            the session of {browser}, signed in <Moment value={createdAt} />
          </VisuallyHidden>
        </Button>
      )}
    </form>
  );
}
