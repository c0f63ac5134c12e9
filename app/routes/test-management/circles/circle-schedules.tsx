import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { HeldBack } from "~/features/schedules/held-back";
import { everyWords } from "~/features/schedules/schedule-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { Table } from "~/ui/table/table";

export interface CircleSchedulesProps {
  apiId: string;
  testCircleId: string;
  /** Undefined where unknown. */
  schedules: readonly Schedule[] | undefined;
  mayWrite: boolean;
}

/** The schedules of a circle. */
export function CircleSchedules({ apiId, testCircleId, schedules, mayWrite }: CircleSchedulesProps) {
  const location = { apiId, testCircleId };
  return (
    <Card
      title="Schedules"
      description={scheduleWords(schedules)}
      flush={schedules !== undefined && schedules.length > 0}
      actions={
        mayWrite && (
          <LinkButton
            href={href("/test-management/:apiId/test-circles/:testCircleId/schedules/create", location)}
            icon="plus"
            size="small"
          >
            Add a schedule
          </LinkButton>
        )
      }
      footer={
        mayWrite && (
          <a href={href("/test-management/maintenance-windows/create", { testCircleId })}>Plan a maintenance window</a>
        )
      }
    >
      {schedules && schedules.length > 0 && (
        <Table
          caption="Schedules of this circle"
          captionHidden
          bare
          rows={schedules}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "when",
              header: "Schedule",
              rowHeader: true,
              cell: ({ id, name, cron, everySeconds }) => (
                <a
                  href={href("/test-management/:apiId/test-circles/:testCircleId/schedules/:scheduleId/edit", {
                    ...{ ...location, scheduleId: id },
                  })}
                >
                  {name ?? cron ?? everyWords(everySeconds ?? 0)}
                </a>
              ),
            },
            {
              key: "repeats",
              header: "Repeats",
              cell: ({ cron, everySeconds, timeZone }) =>
                cron ? (
                  <>
                    <code>{cron}</code> {timeZone}
                  </>
                ) : (
                  everyWords(everySeconds ?? 0)
                ),
            },
            {
              key: "next",
              header: "Next run",
              cell: ({ next, timeZone, heldBack }) =>
                heldBack ? (
                  <HeldBack />
                ) : next ? (
                  <ZonedMoment {...{ ...next, timeZone }} />
                ) : (
                  <Badge icon="pause">Paused</Badge>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function scheduleWords(schedules: readonly Schedule[] | undefined): string | undefined {
  if (!schedules) return "Schedules can't be shown right now. Try again shortly.";
  return schedules.length === 0 ? "No schedule. Runs manually only." : undefined;
}
