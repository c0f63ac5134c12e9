import { notFound } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ApiScheduleSummary } from "#contracts/test-registry/schedules.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import { findPlan } from "../../kit/plan/plan-table.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainHeldBack } from "../domain/held-back.ts";
import { shortestStepSeconds } from "../domain/recurrence/recurrence.ts";
import { findCircle } from "../store/circles.ts";
import {
  countRecurrences,
  cursorAfterSchedule,
  listNextOfApis,
  listSchedules,
  recurrenceOfRow,
  summarizeSchedules,
} from "../store/schedules.ts";
import { schemaName, type TestDatabase } from "../store/tables.ts";
import { createSchedulePresenter, toLocalMoment } from "./schedule-presenter.ts";

type ListHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  | "listSchedules"
  | "listSchedulesOfCircle"
  | "summarizeSchedules"
  | "summarizeSchedulesOfApis"
  | "countScheduleIntervals"
>;

/** Creates the handlers of lists: of a circle's schedules, and of all. */
export function createScheduleListHandlers(db: TestDatabase): ListHandlers {
  return {
    async listSchedules({ caller: { organizationId }, query }) {
      const { limit, cursor, enabled, ...filter } = query;
      // PostgreSQL's text has no NUL, so no stored value can match.
      if (filter.query?.includes("\u0000")) return { items: [], nextCursor: null };
      const given = { ...filter, organizationId, enabled: enabled === undefined ? undefined : enabled === "true" };
      return pageFrom(
        await listSchedules(db, given, query),
        limit,
        cursorAfterSchedule,
        await createSchedulePresenter(db, organizationId),
      );
    },

    async listSchedulesOfCircle({ caller: { organizationId }, params: { testCircleId }, query }) {
      if (!(await findCircle(db, { organizationId, testCircleId }))) throw notFound("test circle");
      const rows = await listSchedules(db, { organizationId, testCircleId }, query);
      return pageFrom(rows, query.limit, cursorAfterSchedule, await createSchedulePresenter(db, organizationId));
    },

    async summarizeSchedules({ caller: { organizationId }, query }) {
      const summaries = await summarizeSchedules(db, organizationId, query.testCircleIds);
      return {
        items: summaries.map(({ circle_id, schedules, paused, schedule_id, time_zone, next_at }) => ({
          testCircleId: circle_id,
          schedules,
          paused,
          next: next_at && { scheduleId: schedule_id, timeZone: time_zone, ...toLocalMoment(time_zone, next_at) },
        })),
      };
    },

    async summarizeSchedulesOfApis({ caller: { organizationId }, query }) {
      const plan = await findPlan(db, schemaName, organizationId);
      const items = new Map<string, ApiScheduleSummary>();
      for (const row of await listNextOfApis(db, organizationId, query.apiIds)) {
        const known = items.get(row.api_id);
        if (known?.next) continue;
        const isHeldBack = explainHeldBack(plan, recurrenceOfRow(row)) !== undefined;
        const next = {
          ...{ scheduleId: row.id, testCircleId: row.circle_id, timeZone: row.time_zone },
          ...toLocalMoment(row.time_zone, row.next_at!),
        };
        items.set(row.api_id, { apiId: row.api_id, schedules: row.schedules, next: isHeldBack ? null : next });
      }
      return { items: [...items.values()] };
    },

    async countScheduleIntervals({ caller: { organizationId } }) {
      const counts = new Map<number, number>();
      for (const { cron, every_seconds, schedules } of await countRecurrences(db, organizationId)) {
        const seconds = shortestStepSeconds({ cron: cron ?? undefined, everySeconds: every_seconds ?? undefined });
        counts.set(seconds, (counts.get(seconds) ?? 0) + Number(schedules));
      }
      const items = [...counts].map(([seconds, schedules]) => ({ seconds, schedules }));
      return { items: items.sort((one, other) => one.seconds - other.seconds) };
    },
  };
}
