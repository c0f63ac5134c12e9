import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { HeldBack } from "~/features/schedules/held-back";
import { everyWords, scheduleAddress, scheduleWords } from "~/features/schedules/schedule-words";
import { Badge } from "~/ui/badge/badge";
import { Stack } from "~/ui/layout/layout";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { type Column, Table } from "~/ui/table/table";
import { DayCell } from "./day-cell";
import type { ScheduleDay } from "./schedule-day";
import { dayWords } from "./week";

type DisplayedSchedule = Schedule & { days: (ScheduleDay | undefined)[] };

export interface ScheduleTableProps {
  schedules: readonly DisplayedSchedule[];
  /** Monday of the week, e.g. `2026-11-23`; absent where its occurrences are unknown. */
  days: readonly string[];
  today: string;
}

/** Schedules of circles, and a week of each. */
export function ScheduleTable({ schedules, days, today }: ScheduleTableProps) {
  const columns: Column<DisplayedSchedule>[] = [
    {
      key: "schedule",
      header: "Schedule",
      rowHeader: true,
      cell: (schedule) => {
        const { cron, everySeconds, timeZone } = schedule;
        const words = scheduleWords(schedule);
        const address = scheduleAddress(schedule);
        return (
          <Stack gap="hair">
            {address ? <a href={address}>{words}</a> : <span>{words}</span>}
            <small>
              {cron ? (
                <>
                  <code>{cron}</code> {timeZone}
                </>
              ) : (
                everyWords(everySeconds ?? 0)
              )}
            </small>
            <Next schedule={schedule} />
          </Stack>
        );
      },
    },
    ...days.map((day, index) => ({
      key: day,
      header: day === today ? `${dayWords(day, index)}, today` : dayWords(day, index),
      cell: (schedule: DisplayedSchedule) => {
        const displayed = schedule.days[index];
        return displayed && <DayCell day={displayed} name={scheduleWords(schedule)} date={dayWords(day, index)} />;
      },
    })),
  ];
  return (
    <Table
      caption="Schedules"
      captionHidden
      columns={columns}
      rows={schedules}
      rowKey={({ id }) => id}
      rowEdge={getScheduleEdge}
    />
  );
}

function Next({ schedule: { next, timeZone, heldBack } }: { schedule: Schedule }) {
  if (heldBack) {
    return (
      <>
        <span>
          <HeldBack />
        </span>
        <small>{heldBack}</small>
      </>
    );
  }
  return next ? (
    <small>
      Next: <ZonedMoment {...{ ...next, timeZone }} />
    </small>
  ) : (
    <span>
      <Badge icon="pause">Paused</Badge>
    </span>
  );
}

/** The plan holds it back. Pausing is a choice, which needs no attention. */
const getScheduleEdge = ({ heldBack }: Schedule) => (heldBack === null ? undefined : "warning");
