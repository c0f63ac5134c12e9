import { sql } from "kysely";
import type { Database } from "../../kit/database/database.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";

/** The instant from which it applies; all readers through the same database see the same time. */
const beginning = Date.parse("2026-06-01T06:59:50Z");

/** Speeds up the database's time by a factor from an instant on: a schedule's minutes are a test's seconds. */
export function fastTime(
  database: Pick<Database, "kysely">,
  { since, speed }: { since: number; speed: number },
): SharedClock {
  return async () => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.kysely);
    return new Date(beginning + (rows[0]!.now.getTime() - since) * speed);
  };
}
