import type { PlanStatus } from "#contracts/kit/plan.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { findPlan } from "../../kit/plan/plan-table.ts";
import { explainHeldBack } from "../domain/held-back.ts";
import { type NamedSchedule, recurrenceOfRow } from "../store/schedules.ts";
import { schemaName, type TestDatabase } from "../store/tables.ts";

/** A time in UTC and in the zone's local time. */
export function toLocalMoment(timeZone: string, moment: Date): { at: string; local: string } {
  return { at: moment.toISOString(), local: writeLocal(timeZone, moment.getTime()) };
}

/** Creates the function that presents an organization's schedules, with those that its plan holds back. */
export async function createSchedulePresenter(
  db: TestDatabase,
  organizationId: string,
): Promise<(row: NamedSchedule) => Schedule> {
  const plan = await findPlan(db, schemaName, organizationId);
  return (row) => toSchedule(row, plan);
}

function toSchedule(row: NamedSchedule, plan: PlanStatus | undefined): Schedule {
  const { cron, everySeconds, timeZone, activeHours, spreadSeconds } = recurrenceOfRow(row);
  return {
    id: row.id,
    testCircleId: row.circle_id,
    testCircleName: row.circle_name,
    apiIds: row.api_ids,
    name: row.name ?? undefined,
    cron,
    everySeconds,
    timeZone,
    activeHours,
    spreadSeconds,
    spread: row.is_spread,
    enabled: row.enabled,
    overlap: row.overlap,
    catchUp: row.catch_up,
    heldBack: row.enabled ? (explainHeldBack(plan, recurrenceOfRow(row)) ?? null) : null,
    next: row.next_at && toLocalMoment(timeZone, row.next_at),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
