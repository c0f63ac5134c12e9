import { sql } from "kysely";
import type { Logger } from "pino";
import { startPeriodicJob } from "../clock/periodic-job.ts";
import type { Database } from "./database.ts";

const minute = 60_000;

/**
 * Vacuums frequently changed tables of the embedded database: it has no autovacuum, and queries for work would scan
 * every dead row.
 * @returns a function that stops it after the current run
 */
export function startVacuum(parts: {
  database: Pick<Database, "engine" | "kysely">;
  schema: string;
  tables: readonly string[];
  log: Logger;
}): () => Promise<void> {
  const { database, schema, tables, log } = parts;
  if (database.engine !== "pglite") return async () => {};
  return startPeriodicJob({
    intervalMilliseconds: minute,
    async work() {
      for (const name of tables) await sql`vacuum (analyze) ${sql.id(schema, name)}`.execute(database.kysely);
    },
    failure: "the embedded database could not be vacuumed",
    log,
  });
}
