import { type Kysely, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/** Schedule versions below these no longer start anything: a process that read one of them did so too long ago. */
export async function createScheduleFences(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "schedule_fences")} (
      schedule_id uuid primary key,
      void_below integer not null,
      raised_at timestamptz not null
    )`.execute(db);
  await sql`create index schedule_fences_raised on ${sql.id(schemaName, "schedule_fences")} (raised_at)`.execute(db);
}

/** Longer than any process can pause between reading a schedule and starting its run. */
const cacheMilliseconds = 30 * 86_400_000;

const turnOf = sql`hashtextextended('schedule ' || schedule_id, 0)`;

/** Waits for starts by these schedules that are about to commit: those started before. */
export async function raiseFences(
  db: ExecutionDatabase,
  schedules: { scheduleId: string; version: number }[],
  now: Date,
): Promise<void> {
  const ids = schedules.map(({ scheduleId }) => scheduleId);
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${turnOf})
      from (select schedule_id from unnest(${ids}::uuid[]) as given(schedule_id) order by 1) in_order`.execute(
      transaction,
    );
    await sql`
      insert into ${table("schedule_fences")} as fence (schedule_id, void_below, raised_at)
      select schedule_id, max(version), ${now}::timestamptz
      from unnest(${ids}::uuid[], ${schedules.map(({ version }) => version)}::int[]) as given(schedule_id, version)
      group by schedule_id
      on conflict (schedule_id) do update set
        void_below = greatest(fence.void_below, excluded.void_below), raised_at = excluded.raised_at`.execute(
      transaction,
    );
    await sql`delete from ${table("schedule_fences")}
      where raised_at < ${new Date(now.getTime() - cacheMilliseconds)}::timestamptz`.execute(transaction);
  });
}

/**
 * Which of these schedules may still start runs by their versions; this remains valid until the transaction ends.
 * @returns ids of those that may
 */
export async function listUnfenced(
  transaction: Transaction<ExecutionTables>,
  schedules: { scheduleId: string; version: number }[],
): Promise<Set<string>> {
  const ids = schedules.map(({ scheduleId }) => scheduleId);
  await sql`select pg_advisory_xact_lock_shared(${turnOf})
    from (select schedule_id from unnest(${ids}::uuid[]) as given(schedule_id) order by 1) in_order`.execute(
    transaction,
  );
  const { rows } = await sql<{ schedule_id: string }>`
    select given.schedule_id
    from unnest(${ids}::uuid[], ${schedules.map(({ version }) => version)}::int[]) as given(schedule_id, version)
    left join ${table("schedule_fences")} fence on fence.schedule_id = given.schedule_id
    where fence.void_below is null or given.version >= fence.void_below`.execute(transaction);
  return new Set(rows.map(({ schedule_id }) => schedule_id));
}
