import { pageFrom } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import { findWindow } from "../domain/maintenance-window.ts";
import { listMoments } from "../domain/recurrence/recurrence.ts";
import { findCircle, listApiIdsOfCircles } from "../store/circles.ts";
import { listWindowsOf, scopeOf } from "../store/maintenance-windows.ts";
import { cursorAfterSchedule, listSchedules, recurrenceOfRow, summarizeSchedules } from "../store/schedules.ts";
import type { TestDatabase } from "../store/tables.ts";
import { shownMoment, shownSchedule } from "./shown-schedules.ts";

type ListHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "listSchedules" | "listSchedulesOfCircle" | "summarizeSchedules" | "listScheduledTimes"
>;

const mostTimes = 100;
const longestMilliseconds = 31 * 86_400_000;

/** Makes the handlers of lists: of a circle's schedules, of all, and of when they run. */
export function createScheduleListHandlers({
  db,
  readTime,
}: {
  db: TestDatabase;
  readTime: SharedClock;
}): ListHandlers {
  return {
    async listSchedules({ caller: { organizationId }, query }) {
      const { limit, cursor, enabled, ...filter } = query;
      // PostgreSQL's text has no NUL, so nothing stored can match one.
      if (filter.query?.includes("\u0000")) return { items: [], nextCursor: null };
      const given = { ...filter, organizationId, enabled: enabled === undefined ? undefined : enabled === "true" };
      return pageFrom(await listSchedules(db, given, query), limit, cursorAfterSchedule, shownSchedule);
    },

    async listSchedulesOfCircle({ caller: { organizationId }, params: { testCircleId }, query }) {
      if (!(await findCircle(db, { organizationId, testCircleId }))) throw notFound("test circle");
      const rows = await listSchedules(db, { organizationId, testCircleId }, query);
      return pageFrom(rows, query.limit, cursorAfterSchedule, shownSchedule);
    },

    async summarizeSchedules({ caller: { organizationId }, query }) {
      const summaries = await summarizeSchedules(db, organizationId, query.testCircleIds);
      return {
        items: summaries.map(({ circle_id, schedules, paused, schedule_id, time_zone, next_at }) => ({
          ...{ testCircleId: circle_id, schedules, paused },
          next: next_at && { scheduleId: schedule_id, timeZone: time_zone, ...shownMoment(time_zone, next_at) },
        })),
      };
    },

    async listScheduledTimes({ caller: { organizationId }, query }) {
      const { from, to, limit, testCircleId, apiId } = query;
      const [start, end] = [Date.parse(from), Date.parse(to)];
      if (end <= start || end - start > longestMilliseconds) {
        const errors = [{ path: "to", message: "Choose a moment after `from`, at most 31 days later" }];
        throw new Problem("malformed_request", undefined, { errors });
      }
      const now = await readTime();
      const filter = { organizationId, testCircleId, apiId, before: new Date(end) };
      const page = pageFrom(await listSchedules(db, filter, query), limit, cursorAfterSchedule, (row) => row);
      const windows = (await listWindowsOf(db, [organizationId])).map(scopeOf);
      const apiIds = await listApiIdsOfCircles(
        db,
        page.items.map(({ circle_id }) => circle_id),
      );
      const items = page.items.map((row) => {
        const circle = { testCircleId: row.circle_id, apiIds: apiIds.get(row.circle_id) ?? [] };
        const times = listMoments(recurrenceOfRow(row), Math.max(start - 1, now.getTime()), {
          until: end - 1,
          atMost: mostTimes + 1,
        });
        return {
          schedule: shownSchedule(row),
          times: times.slice(0, mostTimes).map((moment) => ({
            ...shownMoment(row.time_zone, new Date(moment)),
            maintenanceWindow: findWindow(windows, circle, moment)?.name,
          })),
          hasMore: times.length > mostTimes,
        };
      });
      return { items, nextCursor: page.nextCursor };
    },
  };
}
