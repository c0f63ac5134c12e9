import type { OccurrenceState } from "#contracts/test-executioner/occurrences.ts";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getStatus } from "~/features/verdict/verdict-words";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import type { IconName } from "~/ui/icon/icon";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { Pagination } from "~/ui/pagination/pagination";
import { Table } from "~/ui/table/table";
import type { Tone } from "~/ui/tone";
import type { DisplayedOccurrences } from "./occurrences.server";

const states: Record<OccurrenceState, [words: string, Tone, IconName]> = {
  started: ["Started", "neutral", "play"],
  waiting: ["Waiting for the previous run", "info", "clock"],
  skipped: ["Skipped", "neutral", "minus"],
  missed: ["Missed", "warning", "warning"],
  failed: ["Not started", "danger", "cross"],
};

export interface OccurrenceCardProps {
  /** Undefined where unknown. */
  occurrences: DisplayedOccurrences | undefined;
  /** Address of the page. */
  address: string;
}

/** The occurrences of a schedule, latest first. */
export function OccurrenceCard({ occurrences, address }: OccurrenceCardProps) {
  const cursor = occurrences?.cursor;
  const hasItems = occurrences !== undefined && occurrences.items.length > 0;
  return (
    <Card id="times" title="Past runs" description={emptyWords(occurrences)} flush={hasItems}>
      {hasItems && (
        <Table
          caption="Times of this schedule, the latest first"
          captionHidden
          bare
          rows={occurrences.items}
          rowKey={({ scheduledFor }) => scheduledFor}
          columns={[
            {
              key: "time",
              header: "Time",
              rowHeader: true,
              cell: ({ scheduledFor, local }) => (
                <ZonedMoment at={scheduledFor} local={local} timeZone={occurrences.timeZone} />
              ),
            },
            {
              key: "state",
              header: "Outcome",
              selfEvident: true,
              cell: (occurrence) => <Outcome occurrence={occurrence} />,
            },
            { key: "reason", header: "Why", selfEvident: true, cell: ({ reason }) => reason ?? "" },
          ]}
        />
      )}
      <Pagination
        label="Pages of times"
        firstHref={cursor ? `${listAddress(address, {})}#times` : undefined}
        nextHref={
          occurrences?.nextCursor ? `${listAddress(address, { cursor: occurrences.nextCursor })}#times` : undefined
        }
      />
    </Card>
  );
}

function Outcome({ occurrence: { state, isLate, times, run } }: { occurrence: DisplayedOccurrences["items"][number] }) {
  const [words, tone, icon] = states[state];
  return (
    <Row>
      {run ? (
        <a href={run.address}>
          <VerdictBadge status={getStatus(run)} />
        </a>
      ) : (
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
      )}
      {isLate && <Badge icon="clock">Late</Badge>}
      {times > 1 && <span>{plural(times, "time")} from this one on</span>}
    </Row>
  );
}

function emptyWords(occurrences: DisplayedOccurrences | undefined): string | undefined {
  if (!occurrences) return "This can't be shown right now. Try again shortly.";
  if (occurrences.items.length > 0) return undefined;
  return occurrences.cursor ? "No earlier entries." : "None yet.";
}
