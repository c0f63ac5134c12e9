import { sql } from "kysely";
import type { Database } from "../../kit/database/database.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";

/** From when it is told; whoever reads it through the same database is told the same. */
const beginning = Date.parse("2026-06-01T06:59:50Z");

/** Makes the database's time go so many times as fast from an instant on: a schedule's minutes are a test's seconds. */
export function fastTime(
  database: Pick<Database, "kysely">,
  { since, speed }: { since: number; speed: number },
): SharedClock {
  return async () => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.kysely);
    return new Date(beginning + (rows[0]!.now.getTime() - since) * speed);
  };
}
