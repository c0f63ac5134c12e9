import { sql } from "kysely";
import type { Database } from "./database.ts";

/** The time shared by all processes, independent of their own clocks. */
export type SharedClock = () => Promise<Date>;

export function sharedClockOf(database: Pick<Database, "kysely">): SharedClock {
  return async () => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.kysely);
    return rows[0]!.now;
  };
}
