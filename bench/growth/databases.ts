import { randomBytes } from "node:crypto";
import { type Database, openPostgresDatabase } from "../../services/kit/database/database.ts";
import { administrate, testDatabaseUrl } from "../../services/kit/testing/databases.ts";

/** Databases of this measurement on the PostgreSQL at TEST_DATABASE_URL; gone at its end, however it ends. */
export function createDatabases() {
  const names: string[] = [];
  const opened: Database[] = [];
  return {
    async open(purpose: string): Promise<Database> {
      const name = `growth_${purpose}_${randomBytes(4).toString("hex")}`;
      await administrate((client) => client.query(`create database ${name}`));
      names.push(name);
      const database = await openPostgresDatabase(testDatabaseUrl(name));
      opened.push(database);
      return database;
    },
    async remove(): Promise<void> {
      await Promise.allSettled(opened.map((database) => database.close()));
      for (const name of names.splice(0)) {
        await administrate((client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}
