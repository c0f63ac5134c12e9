import { setImmediate } from "node:timers/promises";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { readDaySpan } from "#libraries/time-zone/day-span.ts";
import { writeDate } from "#libraries/time-zone/wall-clock.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { concerns } from "../domain/maintenance-window.ts";
import { countSkipped, isOnIn, type RangedWindow, rangeWindow } from "../domain/ranged-windows.ts";
import { listScheduledDays } from "../domain/scheduled-days.ts";
import { listWindowsByOrganization, toScope } from "../store/maintenance-windows.ts";
import { cursorAfterSchedule, listSchedules, recurrenceOfRow } from "../store/schedules.ts";
import type { TestDatabase } from "../store/tables.ts";
import { createSchedulePresenter, toLocalMoment } from "./schedule-presenter.ts";

/** Creates the handler that lists the times of schedules. */
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
      const page = pageFrom(await listSchedules(db, filter, query), limit, cursorAfterSchedule, (row) => row);
      const after = Math.max(start - 1, now.getTime());
      const windows: RangedWindow[] = [];
      for (const window of (await listWindowsByOrganization(db, [organizationId])).map(toScope)) {
        windows.push(rangeWindow(window, { from: after, to: end }));
        await setImmediate();
      }
      const toSchedule = await createSchedulePresenter(db, organizationId);
      const items = [];
      for (const row of page.items) {
        const circle = { testCircleId: row.circle_id, apiIds: row.api_ids };
        const recurrence = recurrenceOfRow(row);
        const concerning = windows.filter((window) => concerns(window, circle));
        const toMoment = (moment: number) => toLocalMoment(row.time_zone, new Date(moment));
        items.push({
          schedule: toSchedule(row),
          days: listScheduledDays(recurrence, { timeZone, after, until: end }).map((day) => ({
            day: writeDate(timeZone, day.first),
            times: day.times,
            skipped: countSkipped(recurrence, day, concerning),
            first: toMoment(day.first),
            last: toMoment(day.last),
            items:
              day.moments?.map((moment) => ({
                ...toMoment(moment),
                maintenanceWindow: concerning.find((window) => isOnIn(window, moment))?.name,
              })) ?? null,
          })),
        });
        // Many schedules take a while; yields to other requests in between.
        await setImmediate();
      }
      return { items, nextCursor: page.nextCursor };
    },
  };
}
