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
      description="An address to subscribe to in your calendar. Anybody who knows it can see when schedules run."
    >
      <Stack>
        {made && (
          <>
            <Notice tone="success" title="Copy it now: it is shown this once">
              Only its hash is kept.
            </Notice>
            <CodeBlock id="calendar-address" label="Calendar address" code={made} wrap copy />
          </>
        )}
        {calendar === undefined && <p>Whether there is an address can't be shown right now.</p>}
        {calendar === null && !made && (
          <form method="post" action="#calendar">
            <Button name="intent" value="renewCalendar" icon="calendar">
              Make an address
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
                Make a new address
              </LinkButton>
              <LinkButton href={endHref} variant="quiet" icon="trash">
                End the address
              </LinkButton>
            </Row>
          </Row>
        )}
      </Stack>
    </Card>
  );
}
