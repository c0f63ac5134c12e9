import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { ScheduleRow } from "./schedules.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const schedules = sql.id(schemaName, "schedules");

/** One claim of schedules, by which its scheduler finds them again. */
export interface Lease {
  until: Date;
  /** `until` with microseconds that other schedulers do not have. */
  exactly: string;
}

export function createLease(now: Date, seconds: number): Lease {
  const until = new Date(now.getTime() + seconds * 1_000);
  const microseconds = String(randomInt(1_000)).padStart(3, "0");
  return { until, exactly: until.toISOString().replace("Z", `${microseconds}Z`) };
}

/**
 * Leases due schedules, the longest due first. They are leased until they are settled or the lease expires; a lease
 * that ends later than any can is from before the database's clock was set back.
 * @param own leases of this scheduler's turns that failed: no other process works on those
 */
export async function claimDueSchedules(
  db: TestDatabase,
  { now, max, lease, own }: { now: Date; max: number; lease: Lease; own: Lease[] },
): Promise<ScheduleRow[]> {
  const until = lease.exactly;
  const { rows } = await sql<ScheduleRow>`
    update ${schedules} schedule set claims = claims + 1, claimed_until = ${until}::timestamptz
    from (
      select id from ${schedules}
      where next_at <= ${now}::timestamptz
        and (claimed_until is null or claimed_until <= ${now}::timestamptz
          or claimed_until > ${until}::timestamptz + interval '1 millisecond'
          or claimed_until = any(${own.map(({ exactly }) => exactly)}::timestamptz[]))
      order by next_at limit ${max} for update skip locked
    ) due
    where schedule.id = due.id
    returning schedule.*`.execute(db);
  return rows;
}

type Claimed = Pick<ScheduleRow, "id" | "version" | "claims">;

function matching(claimed: Claimed[]) {
  return sql`unnest(
    ${claimed.map(({ id }) => id)}::uuid[],
    ${claimed.map(({ version }) => version)}::int[],
    ${claimed.map(({ claims }) => claims)}::int[]`;
}

const isStill = sql`schedule.id = given.id and schedule.version = given.version and schedule.claims = given.claims`;

/** Sets schedules to their next time; one that was changed, or leased by another, is unchanged. */
export async function settleSchedules(db: TestDatabase, settled: (Claimed & { next: Date | null })[]): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    update ${schedules} schedule set next_at = given.next_at, claimed_until = null
    from ${matching(settled)}, ${settled.map(({ next }) => next)}::timestamptz[])
      as given(id, version, claims, next_at)
    where ${isStill}`.execute(db);
}

/**
 * Increments versions that a change fenced and then did not replace, because it failed or its process died; a change
 * still to come finds the new version.
 */
export async function renewVersions(db: TestDatabase, voided: Claimed[]): Promise<void> {
  if (voided.length === 0) return;
  await sql`
    update ${schedules} schedule set version = schedule.version + 1, claimed_until = null
    from ${matching(voided)}) as given(id, version, claims)
    where ${isStill}`.execute(db);
}

/** Defers schedules until a given time. */
export async function postponeSchedules(db: TestDatabase, postponed: Claimed[], until: Date): Promise<void> {
  if (postponed.length === 0) return;
  await sql`
    update ${schedules} schedule set claimed_until = ${until}::timestamptz
    from ${matching(postponed)}) as given(id, version, claims)
    where ${isStill}`.execute(db);
}

/** Number of due schedules, and for how many seconds the longest has been due. */
export async function readDueFigures(db: TestDatabase, now: Date): Promise<{ due: number; oldestSeconds: number }> {
  const { rows } = await sql<{ due: number; oldest: Date | null }>`
    select count(*)::int as due, min(next_at) as oldest from ${schedules} where next_at <= ${now}::timestamptz`.execute(
    db,
  );
  const { due, oldest } = rows[0]!;
  return { due, oldestSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0 };
}
