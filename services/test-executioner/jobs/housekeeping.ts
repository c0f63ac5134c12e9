import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { Database } from "../../kit/database/database.ts";
import { createComingPartitions } from "../store/partitions.ts";
import { type ExecutionTables, table } from "../store/tables.ts";

const day = 86_400_000;
const minute = 60_000;

/** Makes the partitions of coming months, and sees to the space of what comes and goes. */
export async function keepHouse(parts: {
  database: Database;
  db: Kysely<ExecutionTables>;
  clock: Clock;
  log: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { database, db, clock, log } = parts;
  const every = (everyMilliseconds: number, failure: string, work: () => Promise<unknown>) =>
    startPeriodicJob({ everyMilliseconds, work, failure, log });
  await createComingPartitions(db, clock.now());
  const stops = [
    every(day, "the partitions of coming months could not be made", () => createComingPartitions(db, clock.now())),
  ];
  // The embedded database has no autovacuum: claiming would step over every execution that ever waited.
  if (database.engine === "pglite") {
    stops.push(
      every(minute, "the embedded database could not be vacuumed", async () => {
        for (const name of ["unfinished_executions", "runs", "latest_executions", "event_deliveries"] as const) {
          await sql`vacuum (analyze) ${table(name)}`.execute(db);
        }
      }),
    );
  }
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
