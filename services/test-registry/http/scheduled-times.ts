import { pageFrom } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { readDaySpan } from "../../kit/time-zone/day-span.ts";
import { writeDate } from "../../kit/time-zone/wall-clock.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import {
  concerns,
  findWindow,
  listSpansBetween,
  type MaintenanceWindowScope,
  mergeSpans,
} from "../domain/maintenance-window.ts";
import { countMoments, type Recurrence } from "../domain/recurrence/recurrence.ts";
import { listScheduledDays, type ScheduledDay } from "../domain/scheduled-days.ts";
import { listWindowsOf, scopeOf } from "../store/maintenance-windows.ts";
import { cursorAfterSchedule, listSchedules, recurrenceOfRow } from "../store/schedules.ts";
import type { TestDatabase } from "../store/tables.ts";
import { shownMoment, shownSchedule } from "./shown-schedules.ts";

/** How often it happens on a day within windows. */
function countSkipped(
  recurrence: Recurrence,
  { first, last }: ScheduledDay,
  windows: MaintenanceWindowScope[],
): number {
  const spans = mergeSpans(windows.flatMap(({ times }) => listSpansBetween(times, first, last + 1)));
  return spans.reduce(
    (sum, { from, to }) => sum + countMoments(recurrence, Math.max(from, first) - 1, Math.min(to - 1, last)),
    0,
  );
}

/** Makes the handler that says when schedules will run. */
export function createScheduledTimesHandlers({
  db,
  readTime,
}: {
  db: TestDatabase;
  readTime: SharedClock;
}): Pick<Handlers<typeof testRegistryContract>, "listScheduledTimes"> {
  return {
    async listScheduledTimes({ caller: { organizationId }, query }) {
      const { timeZone, limit, testCircleId, apiId, scheduleIds } = query;
      const { start, end } = readDaySpan(query);
      const now = await readTime();
      const filter = { organizationId, testCircleId, apiId, scheduleIds, before: new Date(end) };
      const rows = await listSchedules(db, filter, query);
      const windows = (await listWindowsOf(db, [organizationId])).map(scopeOf);
      return pageFrom(rows, limit, cursorAfterSchedule, (row) => {
        const circle = { testCircleId: row.circle_id, apiIds: row.api_ids };
        const recurrence = recurrenceOfRow(row);
        const concerning = windows.filter((window) => concerns(window, circle));
        const momentOf = (moment: number) => shownMoment(row.time_zone, new Date(moment));
        const days = listScheduledDays(recurrence, { timeZone, after: Math.max(start - 1, now.getTime()), until: end });
        return {
          schedule: shownSchedule(row),
          days: days.map((day) => ({
            day: writeDate(timeZone, day.first),
            times: day.times,
            skipped: countSkipped(recurrence, day, concerning),
            first: momentOf(day.first),
            last: momentOf(day.last),
            items:
              day.moments?.map((moment) => ({
                ...momentOf(moment),
                maintenanceWindow: findWindow(concerning, circle, moment)?.name,
              })) ?? null,
          })),
        };
      });
    },
  };
}
