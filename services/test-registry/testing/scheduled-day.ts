import { type Kysely, sql } from "kysely";
import { requireValue } from "../../kit/client/client.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import type { ExecutionWorld } from "../../test-executioner/testing/world.ts";
import { nextAfter } from "../domain/recurrence/recurrence.ts";

/** On this day clocks are set back in Europe. */
const dayStart = Date.parse("2026-10-25T00:00:00Z");

const zones = [
  ...["UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "America/Sao_Paulo"],
  ...["Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland"],
];

/** The end of each minute of the simulated day, half a second before the next one begins: no time is late then. */
export function listTicks(hours: number): string[] {
  return Array.from({ length: hours * 60 }, (_, minute) =>
    new Date(dayStart + (minute + 1) * 60_000 - 500).toISOString(),
  );
}

/** A recurrence in two forms: as the product takes it, and in parts from which the database computes its times. */
interface DayRecurrence {
  cron: string | null;
  everySeconds: number | null;
  zone: string;
  spreadSeconds: number;
  minute: number;
  /** Null: any. */
  hours: number[] | null;
  /** From Monday, 1. */
  weekdays: number[] | null;
  monthDay: number | null;
}

/** Of a hundred: 70 daily, 10 on working days, 14 weekly, 3 monthly, 2 every six hours, 1 hourly or every 15 minutes. */
function makeRecurrence(index: number): DayRecurrence {
  const share = index % 100;
  const round = Math.floor(index / 100);
  const zone = zones[(index + round) % zones.length]!;
  // Two of five at the full hour, as people choose.
  const minute = index % 5 < 2 ? 0 : (index * 13 + round) % 60;
  const hour = (index * 7 + round) % 24;
  const common = { everySeconds: null, zone, minute, hours: [hour], weekdays: null, monthDay: null };
  const spreadSeconds = index % 3 === 0 ? (index * 37) % 3_600 : 0;
  if (share < 70) return { ...common, spreadSeconds, cron: `${minute} ${hour} * * *` };
  if (share < 80) {
    return { ...common, spreadSeconds, cron: `${minute} ${hour} * * 1-5`, weekdays: [1, 2, 3, 4, 5] };
  }
  if (share < 94) {
    const weekday = 1 + (round % 7);
    return { ...common, spreadSeconds, cron: `${minute} ${hour} * * ${weekday % 7}`, weekdays: [weekday] };
  }
  if (share < 97) {
    const monthDay = 1 + (round % 28);
    return { ...common, spreadSeconds, cron: `${minute} ${hour} ${monthDay} * *`, monthDay };
  }
  if (share < 99) return { ...common, spreadSeconds, cron: `${minute} */6 * * *`, hours: [0, 6, 12, 18] };
  if (round % 5 > 0) return { ...common, spreadSeconds, cron: `${minute} * * * *`, hours: null };
  return { ...common, spreadSeconds: spreadSeconds % 900, cron: null, everySeconds: 900 };
}

export interface ScheduledDay {
  schedules: number;
  /** Different ones among the schedules. */
  recurrences: number;
  organizations: number;
  /** The first of the organizations start runs; the others' times fall into a maintenance window. */
  starting: number;
}

/**
 * A circle of one test in each organization through the API, then copies of the circle and their schedules in the
 * database, each with the first of its times on that day: a million calls take hours.
 */
export async function fillScheduledDay(
  world: ExecutionWorld,
  db: Kysely<AnyTables>,
  { schedules, recurrences, organizations, starting }: ScheduledDay,
): Promise<void> {
  for (let index = 0; index < organizations; index += 1) {
    // Never requested: no worker runs.
    const tenant = await world.createTenant("http://127.0.0.1:9");
    const { id: testId } = await tenant.createTest();
    await tenant.createCircle({ members: [{ testId }] });
    if (index < starting) continue;
    const times = { kind: "once" as const, from: "2026-10-24T00:00:00Z", to: "2026-10-27T00:00:00Z" };
    const body = { name: "Moving", times };
    requireValue(await world.testRegistry({ token: tenant.token }).createMaintenanceWindow({ body }), "window");
  }
  await storeRecurrences(
    db,
    Array.from({ length: recurrences }, (_, index) => makeRecurrence(index)),
  );
  await copyCircles(db, Math.max(0, Math.ceil(schedules / 4 / organizations) - 1));
  await sql`
    insert into test_registry.schedules (id, organization_id, circle_id, name, cron, every_seconds, time_zone,
      active_hours, spread_seconds, is_spread, enabled, overlap, catch_up, version, next_at, created_at, updated_at)
    select gen_random_uuid(), circle.organization_id, circle.id, null, recurrence.cron, recurrence.every_seconds,
      recurrence.zone, null, recurrence.spread_seconds, recurrence.spread_seconds > 0, true, 'skip', 'latest', 1,
      recurrence.next_at, now(), now()
    from (select id, organization_id, row_number() over (order by id) - 1 as place, count(*) over () as total
      from test_registry.test_circles) circle
    cross join generate_series(0, 3) turn
    join day_recurrences recurrence on recurrence.number = (place + turn * total) * 7919 % ${recurrences}::int
    where place + turn * total < ${schedules}::int`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function storeRecurrences(db: Kysely<AnyTables>, all: DayRecurrence[]): Promise<void> {
  const rows = all.map((recurrence, number) => {
    const { cron, everySeconds, zone, spreadSeconds } = recurrence;
    const product = {
      ...{ cron: cron ?? undefined, everySeconds: everySeconds ?? undefined },
      ...{ timeZone: zone, spreadSeconds },
    };
    return { number, ...recurrence, next: new Date(nextAfter(product, dayStart - 1)!).toISOString() };
  });
  await sql`create table day_recurrences as
    select number, cron, "everySeconds" as every_seconds, zone, "spreadSeconds" as spread_seconds, minute, hours, weekdays,
      "monthDay" as month_day, next as next_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given(number int, cron text, "everySeconds" int, zone text,
      "spreadSeconds" int, minute int, hours int[], weekdays int[], "monthDay" int, next timestamptz)`.execute(db);
}

/** Copies each circle with its members. */
async function copyCircles(db: Kysely<AnyTables>, copies: number): Promise<void> {
  await sql`create table day_circles as
    select circle.id as original, gen_random_uuid() as copy from test_registry.test_circles circle,
      generate_series(1, ${copies}::int)`.execute(db);
  for (const [name, key] of [
    ["test_circles", "id"],
    ["test_circle_members", "circle_id"],
  ] as const) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'test_registry' and table_name = ${name} and is_generated = 'NEVER' order by 1`.execute(db);
    const names = rows.map((column) => column.name);
    const values = names.map((column) => (column === key ? "copies.copy" : `original.${column}`));
    await sql`insert into ${sql.table(`test_registry.${name}`)} (${sql.raw(names.join(", "))})
      select ${sql.raw(values.join(", "))} from ${sql.table(`test_registry.${name}`)} original
      join day_circles copies on copies.original = original.${sql.id(key)}`.execute(db);
  }
}

export interface DayFigures {
  expected: number;
  recorded: number;
  /** Expected and not recorded. */
  missing: number;
  /** Recorded and not expected, or more than once. */
  unexpected: number;
  started: number;
  skipped: number;
  runs: number;
}

/**
 * Compares what is recorded of the first hours of the day with what the database computes from the minutes of the day and its own time zones.
 * Of local times that occur twice the first counts, unless something runs every hour.
 */
export async function readDayFigures(db: Kysely<AnyTables>, hours: number): Promise<DayFigures> {
  const start = sql`${new Date(dayStart).toISOString()}::timestamptz`;
  await sql`create table day_expected as
    with moment as (
      select ${start} - interval '4 hours' + number * interval '1 minute' as at from generate_series(0, 28 * 60 - 1) number
    ), wall as materialized (
      select zone, at, at at time zone zone as wall from moment, (select distinct zone from day_recurrences) zones
    ), unspread as (
      select number, min(at) as at
      from day_recurrences recurrence
      join wall on wall.zone = recurrence.zone and extract(minute from wall)::int = minute
      where cron is not null and (hours is null or extract(hour from wall)::int = any(hours))
        and (weekdays is null or extract(isodow from wall)::int = any(weekdays))
        and (month_day is null or extract(day from wall)::int = month_day)
      group by number, wall, case when hours is null then at end
      union all
      select number, at from day_recurrences recurrence join moment
        on extract(epoch from at)::bigint % recurrence.every_seconds = 0
      where recurrence.every_seconds is not null
    ), due as (
      -- Several numbers may be the same recurrence.
      select distinct coalesce(cron, every_seconds::text) as rule, zone, spread_seconds,
        at + make_interval(secs => spread_seconds) as scheduled_for
      from unspread join day_recurrences using (number)
    )
    select schedule.id, scheduled_for from test_registry.schedules schedule
    join due on due.rule = coalesce(schedule.cron, schedule.every_seconds::text) and due.zone = schedule.time_zone
      and due.spread_seconds = schedule.spread_seconds
    where scheduled_for >= ${start} and scheduled_for < ${start} + make_interval(hours => ${hours}::int)`.execute(db);
  await sql`analyze day_expected, test_executioner.occurrences`.execute(db);
  const { rows } = await sql<DayFigures>`
    select count(expected.id)::int as expected, sum(times)::int as recorded,
      count(*) filter (where schedule_id is null)::int as missing,
      (sum(times) - count(*) filter (where expected.id is not null and schedule_id is not null))::int as unexpected,
      count(*) filter (where state = 'started')::int as started, count(*) filter (where state = 'skipped')::int as skipped,
      (select count(*)::int from test_executioner.runs) as runs
    from day_expected expected
    full join test_executioner.occurrences on schedule_id = expected.id
      and occurrences.scheduled_for = expected.scheduled_for`.execute(db);
  return rows[0]!;
}
