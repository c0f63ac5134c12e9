import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { Table } from "~/ui/table/table";

export interface SignInCardProps {
  isDisabled: boolean;
  isOwn: boolean;
  sessions: readonly { id: string; browser: string; createdAt: string; lastUsedAt: string; current: boolean }[];
  /** There are more sessions than those listed. */
  hasMore: boolean;
  here: string;
  mayChange: boolean;
  /** Signing in requires a code after the password. */
  hasSecondFactor: boolean;
}

/** Whether a user can sign in, and their sessions. */
export function SignInCard({
  isDisabled,
  isOwn,
  sessions,
  hasMore,
  here,
  mayChange,
  hasSecondFactor,
}: SignInCardProps) {
  return (
    <Card
      title="Signing in"
      id="signing-in"
      actions={
        mayChange && (
          <Row>
            {sessions.length > 0 && (
              <LinkButton href={`${here}?dialog=signOut`} size="small">
                Sign out everywhere
              </LinkButton>
            )}
            {hasSecondFactor && !isOwn && (
              <LinkButton href={`${here}?dialog=secondFactor`} size="small">
                Reset second factor
              </LinkButton>
            )}
            {isDisabled ? (
              <form method="post" action={here}>
                <Button name="intent" value="enable" size="small" icon="check">
                  Enable account
                </Button>
              </form>
            ) : (
              !isOwn && (
                <LinkButton href={`${here}?dialog=disable`} size="small" icon="lock">
                  Disable account
                </LinkButton>
              )
            )}
          </Row>
        )
      }
    >
      <Stack>
        {isDisabled && (
          <Notice tone="warning" title="This account is disabled">
            It can't be used to sign in.
          </Notice>
        )}
        <p>
          {hasSecondFactor
            ? "After the password, signing in asks for a code from their app or a passkey."
            : "Signing in only requires the password."}
        </p>
        {isOwn && <p>This is your own account: another administrator could disable it.</p>}
        {sessions.length === 0 ? (
          <p>Not signed in anywhere.</p>
        ) : (
          <Table
            caption={hasMore ? "Signed in here, and elsewhere earlier" : "Signed in here"}
            rows={sessions}
            rowKey={({ id }) => id}
            columns={[
              {
                key: "browser",
                header: "Browser",
                rowHeader: true,
                cell: ({ browser, current }) => (current ? `${browser} (this one)` : browser),
              },
              { key: "created", header: "Since", cell: ({ createdAt }) => <Moment value={createdAt} /> },
              { key: "used", header: "Last used", cell: ({ lastUsedAt }) => <Moment value={lastUsedAt} /> },
            ]}
          />
        )}
      </Stack>
    </Card>
  );
}
