import type { ScheduleCode } from "#contracts/code/circle.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { nextAfter } from "../../domain/recurrence/recurrence.ts";
import { findRecurrenceErrors, getSpreadSeconds, toRecurrence } from "../../domain/recurrence/recurrence-rules.ts";
import {
  findSchedule,
  insertSchedule,
  recurrenceOfRow,
  removeSchedule,
  type ScheduleRow,
  updateSchedule,
} from "../../store/schedules.ts";
import type { TestTables } from "../../store/tables.ts";
import type { RequirePlanAllows } from "../plan-intervals.ts";
import { sameTimes, toColumns } from "../schedules.ts";

function toValue(row: ScheduleRow): JsonRecord {
  const { cron, everySeconds, timeZone, activeHours } = recurrenceOfRow(row);
  const { enabled, overlap, catch_up: catchUp, is_spread: spread } = row;
  const name = row.name ?? undefined;
  return { name, cron, everySeconds, timeZone, activeHours, spread, enabled, overlap, catchUp };
}

/** Schedules of files. */
export function createScheduleKind(parts: {
  requirePlanAllows: RequirePlanAllows;
}): ServedKind<ScheduleCode, TestTables> {
  return {
    kind: "schedule",
    ...{ table: "schedules", idColumn: "id", parentColumn: "circle_id" },
    keyText:
      "coalesce(object.name, case when every_seconds is null then 'schedule' else 'every-' || every_seconds || '-seconds' end)",
    unrestored: ["claims", "claimed_until", "next_at"],

    async list(executor, query, context) {
      const { references } = context;
      const rows = await readObjects<ScheduleRow>(executor, this, query, context);
      return rows.map((row) => {
        const circle = references.keyOf("circle", row.circle_id);
        const value = toValue(row as ScheduleRow);
        return { id: row.id, parentId: row.circle_id, name: row.name ?? row.cron ?? `Schedule of ${circle}`, value };
      });
    },

    async resolve(changes, context, fail) {
      const items = changes.map((change) => ({ change, input: change.value as unknown as ScheduleCode }));
      for (const { change, input } of items) {
        const report = fail(change);
        if (!context.references.idOf("circle", change.parent ?? "")) report("", `There is no circle ${change.parent}`);
        const errors = findRecurrenceErrors(input, context.now);
        for (const { path, message } of errors) report(path, message);
        if (errors.length === 0) await parts.requirePlanAllows(context, toRecurrence(input));
      }
      return items;
    },

    async write(transaction, items, { organizationId, references, now }) {
      for (const { change, input } of items) {
        const recurrence = toRecurrence(input, getSpreadSeconds(input, change.id));
        const columns = { id: change.id, organization_id: organizationId, ...toColumns(input, recurrence, now) };
        const next = new Date(nextAfter(recurrence, now.getTime())!);
        if (change.action === "create") {
          const circle_id = references.idOf("circle", change.parent ?? "")!;
          const row = { ...columns, circle_id, version: 1, created_at: now, claimed_until: null };
          await insertSchedule(transaction, { ...row, next_at: input.enabled ? next : null });
          continue;
        }
        const before = await findSchedule(transaction, { organizationId, scheduleId: change.id });
        // A due time must not be lost when only the name changes.
        const keeps = before?.enabled && sameTimes(recurrence, recurrenceOfRow(before));
        const next_at = input.enabled ? (keeps ? before.next_at : next) : null;
        if (!before || !(await updateSchedule(transaction, { ...columns, next_at }, before.version)))
          throw new Problem("stale_version", `The schedule ${change.key} has been changed.`);
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const scheduleId of ids) {
        const row = await findSchedule(transaction, { organizationId, scheduleId });
        if (row) await removeSchedule(transaction, { organizationId, scheduleId }, row.version);
      }
      return [];
    },

    async restored(transaction, ids, { organizationId, now }) {
      for (const scheduleId of ids) {
        const row = await findSchedule(transaction, { organizationId, scheduleId });
        if (!row) continue;
        const { circle_name, api_ids, circle_id, claims, claimed_until, created_at, version, ...columns } = row;
        const next_at = row.enabled ? new Date(nextAfter(recurrenceOfRow(row), now.getTime())!) : null;
        await updateSchedule(transaction, { ...columns, next_at }, version);
      }
      return [];
    },
  };
}
