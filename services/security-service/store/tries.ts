import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { TryLimit } from "../domain/try-limit.ts";
import { type SecurityTables, schemaName } from "./tables.ts";

type Db = Executor<SecurityTables>;

/** Holds every kind of tries; the name dates from when there was one. */
const tries = sql.id(schemaName, "login_tries");

/** The key that tries are counted under: hashed, because people type passwords into name fields. */
export function tryKey(kind: string, ...values: string[]): string {
  return `${kind}:${createHash("sha256").update(JSON.stringify(values)).digest("base64url")}`;
}

/**
 * Counts one more try under `key`, in one statement so that fifty at once can't exceed a limit of ten.
 * @returns undefined when it is within the limit, else the moment of the oldest try that still counts
 */
export async function countTry(db: Db, key: string, limit: TryLimit, now: Date): Promise<Date | undefined> {
  const since = new Date(now.getTime() - limit.windowMilliseconds);
  const counted = await sql`
    insert into ${tries} as known (key, tried_at) values (${key}, array[${now}::timestamptz])
    on conflict (key) do update set
      tried_at = array(select moment from unnest(known.tried_at) moment where moment > ${since}) || ${now}::timestamptz
      where (select count(*) from unnest(known.tried_at) moment where moment > ${since}) < ${limit.tries}
    returning key`.execute(db);
  if (counted.rows.length > 0) return undefined;
  const oldest = await sql<{ oldest: Date | null }>`
    select min(moment) as oldest from ${tries}, unnest(tried_at) moment where key = ${key} and moment > ${since}`.execute(
    db,
  );
  return oldest.rows[0]?.oldest ?? now;
}

/** Refunds a successful try; of several at the same moment exactly one is refunded. */
export async function forgetTry(db: Db, keys: string[], triedAt: Date): Promise<void> {
  const location = sql`array_position(tried_at, ${triedAt}::timestamptz)`;
  await sql`
    update ${tries} set tried_at = tried_at[:${location} - 1] || tried_at[${location} + 1:]
    where key = any(${keys}) and ${triedAt}::timestamptz = any(tried_at)`.execute(db);
}

/** Deletes tries that no longer count for any limit. */
export async function purgeTries(db: Db, before: Date): Promise<void> {
  await sql`delete from ${tries} where not exists (select from unnest(tried_at) moment where moment > ${before})`.execute(
    db,
  );
}
