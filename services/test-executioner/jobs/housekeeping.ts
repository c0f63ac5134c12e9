import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { Database } from "../../kit/database/database.ts";
import { startVacuum } from "../../kit/database/vacuum.ts";
import { buildFilterIndexes } from "../store/filter-indexes.ts";
import { createComingPartitions } from "../store/partitions.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";

const day = 86_400_000;
/** Tables with frequent inserts and deletes. */
const busyTables: (keyof ExecutionTables)[] = [
  "unfinished_executions",
  "runs",
  "latest_executions",
  "event_deliveries",
];

/** Creates the partitions of coming months, builds missing indexes of past ones, and vacuums frequently changed tables. */
export async function keepHouse(parts: {
  database: Database;
  db: Kysely<ExecutionTables>;
  clock: Clock;
  log: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { database, db, clock, log } = parts;
  await createComingPartitions(db, clock.now());
  const stops = [
    startPeriodicJob({
      intervalMilliseconds: day,
      work: () => createComingPartitions(db, clock.now()),
      failure: "the partitions of coming months could not be made",
      log,
    }),
    startPeriodicJob({
      intervalMilliseconds: day,
      immediately: true,
      work: () => buildFilterIndexes(db, database.engine),
      failure: "indexes of executions could not be built",
      log,
    }),
    startVacuum({ database, schema: schemaName, tables: busyTables, log }),
  ];
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
