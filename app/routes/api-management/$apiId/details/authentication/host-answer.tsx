import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";

export interface HostAnswerProps {
  /** Null: undecided. */
  sends: boolean | null;
  hosts: readonly { host: string; names: string[] }[];
  mayChange: boolean;
}

const list = new Intl.ListFormat("en");

/** The document names no scheme: whether made tests send what is stored for their host all the same. */
export function HostAnswer({ sends, hosts, mayChange }: HostAnswerProps) {
  const stored = hosts.filter(({ names }) => names.length > 0);
  return (
    <Card title="The document defines no security scheme">
      <Stack>
        {stored.length === 0 ? (
          <p>No credentials are stored for its hosts either. Tests are sent without authentication.</p>
        ) : (
          stored.map(({ host, names }) => (
            <p key={host}>
              Stored for <code>{host}</code>: {list.format(names)}.
            </p>
          ))
        )}
        {stored.length > 0 && (
          <>
            <p>
              {sends === null
                ? "Send them with tests of this API? Applies to new tests."
                : sends
                  ? "Generated tests send them."
                  : "Generated tests don't send them."}
            </p>
            {mayChange && (
              <form method="post">
                <Row>
                  {sends !== true && (
                    <Button name="intent" value="send" variant={sends === null ? "primary" : "secondary"}>
                      Send them
                    </Button>
                  )}
                  {sends !== false && (
                    <Button name="intent" value="keep">
                      Don't send them
                    </Button>
                  )}
                </Row>
              </form>
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}
