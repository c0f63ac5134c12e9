import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Row, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";

export interface CalendarCardProps {
  /** Null while there is no address; undefined where unknown. */
  calendar: { createdAt: string } | null | undefined;
  /** The new address, displayed only this once. */
  made: string | undefined;
  renewHref: string;
  endHref: string;
}

/** The address that a calendar program subscribes to for all schedules. */
export function CalendarCard({ calendar, made, renewHref, endHref }: CalendarCardProps) {
  return (
    <Card
      id="calendar"
      title="Calendar"
      description="Subscribe to it in your calendar. Anyone with the link can see when schedules run."
    >
      <Stack>
        {made && (
          <>
            <Notice tone="success" title="Copy it now. It won't be shown again.">
              Only its hash is stored.
            </Notice>
            <CodeBlock id="calendar-address" label="Calendar link" code={made} wrap copy />
          </>
        )}
        {calendar === undefined && <p>Whether there is a link can't be shown right now.</p>}
        {calendar === null && !made && (
          <form method="post" action="#calendar">
            <Button name="intent" value="renewCalendar" icon="calendar">
              Create link
            </Button>
          </form>
        )}
        {calendar && !made && (
          <Row justify="between">
            <span>
              Made <Moment value={calendar.createdAt} />.
            </span>
            <Row>
              <LinkButton href={renewHref} icon="refresh">
                Create a new link
              </LinkButton>
              <LinkButton href={endHref} variant="quiet" icon="trash">
                Revoke the link
              </LinkButton>
            </Row>
          </Row>
        )}
      </Stack>
    </Card>
  );
}
