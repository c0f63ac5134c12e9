import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Database, openEmbeddedDatabase, openPostgresDatabase } from "../database/database.ts";

const address = process.env.TEST_DATABASE_URL ?? "postgresql://postgres:postgres@127.0.0.1:5432/postgres";

async function answers(): Promise<boolean> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function administrate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function openFreshPostgres(): Promise<Database> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administrate(`create database ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  const database = await openPostgresDatabase(url.href, { maximumConnections: 5 });
  return {
    ...database,
    async close() {
      await database.close();
      await administrate(`drop database ${name} with (force)`);
    },
  };
}

export interface TestEngine {
  name: "PGlite" | "PostgreSQL";
  /** An empty database of its own; `close` removes it. */
  open(): Promise<Database>;
}

/**
 * The engines every store and service test runs on: PGlite always, PostgreSQL where one answers at
 * TEST_DATABASE_URL or 127.0.0.1:5432. With CI set a missing PostgreSQL fails the run.
 */
export async function testEngines(): Promise<TestEngine[]> {
  const engines: TestEngine[] = [{ name: "PGlite", open: () => openEmbeddedDatabase() }];
  if (await answers()) engines.push({ name: "PostgreSQL", open: openFreshPostgres });
  else if (process.env.CI) throw new Error("PostgreSQL does not answer at TEST_DATABASE_URL or 127.0.0.1:5432.");
  return engines;
}
