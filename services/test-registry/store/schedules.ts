import { type Selectable, type SqlBool, sql } from "kysely";
import { activeHours } from "#contracts/test-registry/recurrences.ts";
import { json } from "../../kit/database/database.ts";
import { type CursorValues, containsPattern, readMomentCursor } from "../../kit/database/keyset.ts";
import type { Recurrence } from "../domain/recurrence/recurrence.ts";
import { listSortKey } from "./schedule-tables.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

export type ScheduleRow = Selectable<TestTables["schedules"]>;
export type NamedSchedule = ScheduleRow & { circle_name: string; api_ids: string[] };
type Owned = { organizationId: string; scheduleId: string };

export function recurrenceOfRow(row: ScheduleRow): Recurrence {
  return {
    cron: row.cron ?? undefined,
    everySeconds: row.every_seconds ?? undefined,
    timeZone: row.time_zone,
    activeHours: row.active_hours === null ? undefined : activeHours.parse(row.active_hours),
    spreadSeconds: row.spread_seconds,
  };
}

const written = ({ active_hours }: Pick<ScheduleRow, "active_hours">) => ({
  active_hours: active_hours === null ? null : json(active_hours),
});

export async function insertSchedule(db: TestDatabase, row: Omit<ScheduleRow, "claims">): Promise<void> {
  await db
    .insertInto("schedules")
    .values({ ...row, ...written(row) })
    .execute();
}

function named(db: TestDatabase) {
  return db
    .selectFrom("schedules as schedule")
    .innerJoin("test_circles as circle", "circle.id", "schedule.circle_id")
    .selectAll("schedule")
    .select([
      "circle.name as circle_name",
      sql<string[]>`(select coalesce(array_agg(distinct member.api_id::text), '{}')
        from ${sql.id(schemaName, "test_circle_members")} member where member.circle_id = circle.id)`.as("api_ids"),
    ]);
}

export async function findSchedule(
  db: TestDatabase,
  { organizationId, scheduleId }: Owned,
): Promise<NamedSchedule | undefined> {
  return await named(db)
    .where("schedule.organization_id", "=", organizationId)
    .where("schedule.id", "=", scheduleId)
    .executeTakeFirst();
}

/** Replaces a version with the next; false when it is not the current one any more. */
export async function updateSchedule(
  db: TestDatabase,
  row: Omit<ScheduleRow, "version" | "created_at" | "circle_id" | "claims" | "claimed_until">,
  version: number,
): Promise<boolean> {
  const { id, organization_id, ...columns } = row;
  const { numUpdatedRows } = await db
    .updateTable("schedules")
    .set({ ...columns, ...written(columns), version: version + 1, claimed_until: null })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False when it is not the current version any more. */
export async function removeSchedule(
  db: TestDatabase,
  { organizationId, scheduleId }: Owned,
  version: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("schedules")
    .where("organization_id", "=", organizationId)
    .where("id", "=", scheduleId)
    .where("version", "=", version)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Versions of a circle's schedules, by id. */
export async function listVersionsOfCircle(
  db: TestDatabase,
  organizationId: string,
  testCircleId: string,
): Promise<{ id: string; version: number }[]> {
  return await versionsOfCircle(db, organizationId, testCircleId).execute();
}

/** The same, locked until the transaction ends. */
export async function lockVersionsOfCircle(
  db: TestTransaction,
  organizationId: string,
  testCircleId: string,
): Promise<{ id: string; version: number }[]> {
  return await versionsOfCircle(db, organizationId, testCircleId).forUpdate().execute();
}

function versionsOfCircle(db: TestDatabase, organizationId: string, testCircleId: string) {
  return db
    .selectFrom("schedules")
    .select(["id", "version"])
    .where("organization_id", "=", organizationId)
    .where("circle_id", "=", testCircleId)
    .orderBy("id");
}

export interface ScheduleFilter {
  organizationId: string;
  testCircleId?: string;
  apiId?: string;
  query?: string;
  enabled?: boolean;
  scheduleIds?: string[];
  /** Only those that run before this time. */
  before?: Date;
}

export function cursorAfterSchedule(row: ScheduleRow): CursorValues {
  return [row.next_at?.toISOString() ?? "infinity", row.id];
}

/** The next to run first, paused ones last; one row more than the page. */
export async function listSchedules(
  db: TestDatabase,
  { organizationId, testCircleId, apiId, query, enabled, scheduleIds, before }: ScheduleFilter,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<NamedSchedule[]> {
  let schedules = named(db).where("schedule.organization_id", "=", organizationId);
  if (testCircleId !== undefined) schedules = schedules.where("schedule.circle_id", "=", testCircleId);
  if (apiId !== undefined) {
    schedules = schedules.where("schedule.circle_id", "in", (of) =>
      of
        .selectFrom("test_circle_members")
        .select("circle_id")
        .where("organization_id", "=", organizationId)
        .where("api_id", "=", apiId),
    );
  }
  if (query) {
    const pattern = containsPattern(query);
    schedules = schedules.where((is) =>
      is.or([is("schedule.name", "ilike", pattern), is("circle.name", "ilike", pattern)]),
    );
  }
  if (enabled !== undefined) schedules = schedules.where("schedule.enabled", "=", enabled);
  if (scheduleIds) schedules = schedules.where("schedule.id", "=", sql<string>`any(${scheduleIds}::uuid[])`);
  if (before) schedules = schedules.where("schedule.next_at", "<", before);
  const location = sql.raw(listSortKey);
  if (cursor !== undefined) {
    const { moment, id } = readMomentCursor(cursor);
    const after = sql`(${moment}::timestamptz, ${id}::uuid)`;
    schedules = schedules.where(sql<SqlBool>`(${location}, schedule.id) > ${after}`);
  }
  return await schedules
    .orderBy(location)
    .orderBy("schedule.id")
    .limit(limit + 1)
    .execute();
}

export interface ScheduleSummary {
  circle_id: string;
  schedules: number;
  paused: number;
  /** Of the next to run. */
  schedule_id: string;
  time_zone: string;
  next_at: Date | null;
}

export async function summarizeSchedules(
  db: TestDatabase,
  organizationId: string,
  testCircleIds: string[],
): Promise<ScheduleSummary[]> {
  const { rows } = await sql<ScheduleSummary>`
    select distinct on (circle_id) circle_id, id as schedule_id, time_zone, next_at,
      count(*) over of_circle as schedules, count(*) filter (where not enabled) over of_circle as paused
    from ${sql.id(schemaName, "schedules")}
    where organization_id = ${organizationId}::uuid and circle_id = any(${testCircleIds}::uuid[])
    window of_circle as (partition by circle_id)
    order by circle_id, next_at nulls last, id`.execute(db);
  return rows;
}

export type ApiSchedule = ScheduleRow & { api_id: string; schedules: number };

/**
 * For each API, the next active schedule of each recurrence, since a plan
 * pauses schedules by recurrence; soonest first.
 */
export async function listNextOfApis(
  db: TestDatabase,
  organizationId: string,
  apiIds: string[],
): Promise<ApiSchedule[]> {
  const { rows } = await sql<ApiSchedule>`
    select * from (
      select distinct on (of_api.api_id, schedule.cron, schedule.every_seconds) of_api.api_id, schedule.*,
        (count(*) over (partition by of_api.api_id))::int as schedules
      from (
        select distinct api_id, circle_id from ${sql.id(schemaName, "test_circle_members")}
        where organization_id = ${organizationId}::uuid and api_id = any(${apiIds}::uuid[])
      ) of_api
      join ${sql.id(schemaName, "schedules")} schedule on schedule.circle_id = of_api.circle_id
      where schedule.organization_id = ${organizationId}::uuid and schedule.enabled and schedule.next_at is not null
      order by of_api.api_id, schedule.cron, schedule.every_seconds, schedule.next_at, schedule.id
    ) next order by next_at, id`.execute(db);
  return rows;
}

/** Number of active schedules per recurrence: a handful of kinds, however many schedules. */
export async function countRecurrences(
  db: TestDatabase,
  organizationId: string,
): Promise<{ cron: string | null; every_seconds: number | null; schedules: number }[]> {
  return await db
    .selectFrom("schedules")
    .select(["cron", "every_seconds", (of) => of.fn.countAll<number>().as("schedules")])
    .where("organization_id", "=", organizationId)
    .where("enabled", "=", true)
    .groupBy(["cron", "every_seconds"])
    .execute();
}
