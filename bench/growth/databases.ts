import { type Database, openPostgresDatabase } from "../../services/kit/database/database.ts";
import { administrate, testDatabaseUrl } from "../../services/kit/testing/databases.ts";

const nameOf = (executions: number) => `growth_${executions}`;

/**
 * Databases of this measurement on the PostgreSQL at TEST_DATABASE_URL, named by how much they hold, so that a later go
 * finds what an earlier one has kept.
 */
export function createDatabases() {
  const opened = new Map<string, Database>();
  return {
    async open(executions: number): Promise<Database> {
      const name = nameOf(executions);
      await administrate(async (client) => {
        const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
        if (rowCount === 0) await client.query(`create database ${name}`);
      });
      const database = await openPostgresDatabase(testDatabaseUrl(name));
      opened.set(name, database);
      return database;
    },
    async close(options: { keep: boolean }): Promise<void> {
      await Promise.allSettled([...opened.values()].map((database) => database.close()));
      if (options.keep) return;
      for (const name of opened.keys()) {
        await administrate((client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}
