import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Database, openEmbeddedDatabase, openPostgresDatabase } from "../database/database.ts";

const address = process.env.TEST_DATABASE_URL ?? "postgresql://postgres:postgres@127.0.0.1:5432/postgres";

/** URL of another database on the tests' server. */
export function testDatabaseUrl(name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs administrative statements, such as creating databases. */
export async function administrate<Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 30_000 });
  await client.connect().catch((error: Error) => {
    throw new Error(
      `The tests need PostgreSQL, and none lets us in at ${new URL(address).host} (${error.message || "it does not answer"}). ` +
        "`npm test` starts one of its own; for single files set TEST_DATABASE_URL.",
      { cause: error },
    );
  });
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A PostgreSQL database that processes can share; within the suite it already contains the services' tables. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = process.env.TEST_DATABASE_TEMPLATE;
  await administrate((client) =>
    client.query(`create database ${name} ${template ? `template ${template} strategy file_copy` : ""}`),
  );
  return {
    url: testDatabaseUrl(name),
    drop: () => administrate(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}

async function openFreshPostgres(): Promise<Database> {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 5, connectSeconds: 600 });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/**
 * An empty embedded database to copy, as a first start copies the built one: the engine takes seconds to create one.
 * Cached in node_modules, by the engine's version.
 */
async function embeddedTemplate(): Promise<string> {
  const { version } = JSON.parse(readFileSync("node_modules/@electric-sql/pglite/package.json", "utf8"));
  const cachePath = `node_modules/.cache/embedded-database-${version}`;
  if (existsSync(cachePath)) return cachePath;
  mkdirSync("node_modules/.cache", { recursive: true });
  const unfinished = mkdtempSync(`${cachePath}-unfinished-`);
  await (await openEmbeddedDatabase(unfinished)).close();
  try {
    renameSync(join(unfinished, "database"), cachePath);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(cachePath)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return cachePath;
}

export interface EmbeddedFolder {
  /** May be opened by one process at a time. */
  path: string;
  remove(): void;
}

/** A data folder with an empty embedded database. */
export async function createEmbeddedFolder(): Promise<EmbeddedFolder> {
  const template = await embeddedTemplate();
  const path = mkdtempSync(join(tmpdir(), "portal-tests-embedded-"));
  cpSync(template, join(path, "database"), { recursive: true });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

async function openFreshEmbedded(): Promise<Database> {
  const folder = await createEmbeddedFolder();
  const database = await openEmbeddedDatabase(folder.path);
  return {
    ...database,
    async close() {
      await database.close();
      folder.remove();
    },
  };
}

export interface TestEngine {
  name: "PGlite" | "PostgreSQL";
  /** A separate, empty database; `close` removes it. */
  open(): Promise<Database>;
}

const postgres: TestEngine = { name: "PostgreSQL", open: openFreshPostgres };

/** The engines that every store and service test runs on. */
export function testEngines(): [TestEngine] {
  return [postgres];
}

/** For behaviour that differs on the embedded database: one connection, no other process, no background vacuum. */
export function bothEngines(): TestEngine[] {
  return [{ name: "PGlite", open: openFreshEmbedded }, postgres];
}
