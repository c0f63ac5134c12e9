import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createLog } from "../services/kit/log/log.ts";
import { refuseStart, StartRefused } from "../services/kit/service/start-refused.ts";
import { parseConfiguration } from "./configuration.ts";
import { makeTables } from "./make-tables.ts";

/**
 * `node build/process/migrate.js`: brings the tables at DATABASE_URL to this version, then ends. Each process does the
 * same at its start; run alone before an upgrade, it fails before any process was replaced.
 */
async function migrate(): Promise<void> {
  const { databaseUrl, database: options, logLevel, version } = parseConfiguration(process.env);
  if (!databaseUrl) throw new StartRefused("DATABASE_URL is needed: the embedded database migrates when it starts.");
  const database = await openPostgresDatabase(databaseUrl, { ...options, log: createLog(logLevel) });
  try {
    await makeTables(database);
    process.stdout.write(`The tables are those of version ${version}.\n`);
  } finally {
    await database.close();
  }
}

migrate().catch(refuseStart);
