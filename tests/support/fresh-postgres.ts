import { randomBytes } from "node:crypto";
import pg from "pg";

const address = process.env.TEST_DATABASE_URL ?? "postgresql://postgres:postgres@127.0.0.1:5432/postgres";

export interface FreshPostgres {
  url: string;
  drop(): Promise<void>;
}

async function administrate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** An empty database for processes to share; undefined where no PostgreSQL answers, which fails the run when CI is set. */
export async function createFreshPostgres(): Promise<FreshPostgres | undefined> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  try {
    await administrate(`create database ${name}`);
  } catch (error) {
    if (process.env.CI) throw error;
    return undefined;
  }
  const url = new URL(address);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administrate(`drop database ${name} with (force)`) };
}
