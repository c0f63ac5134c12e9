import { administrate, testDatabaseUrl } from "../../services/kit/testing/databases.ts";

const getName = (executions: number) => `growth_${executions}`;

/**
 * Databases of this measurement on the PostgreSQL at TEST_DATABASE_URL, named by their size, so that a later run
 * finds those that an earlier one kept.
 */
export function createDatabases() {
  const opened = new Set<string>();
  return {
    /** @returns its connection string */
    async open(executions: number): Promise<string> {
      const name = getName(executions);
      await administrate(async (client) => {
        const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
        if (rowCount === 0) await client.query(`create database ${name}`);
      });
      opened.add(name);
      return testDatabaseUrl(name);
    },
    async drop(): Promise<void> {
      for (const name of opened) {
        await administrate((client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}
