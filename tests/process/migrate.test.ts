import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { administrate, testDatabaseUrl } from "../../services/kit/testing/databases.ts";
import { startProgram } from "../support/program.ts";

const program = "build/process/migrate.js";

test("an empty database gets its tables before any process starts, and a second time nothing changes", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administrate((client) => client.query(`create database ${name}`));
  try {
    const environment = {
      DATABASE_URL: testDatabaseUrl(name),
      SECRETS_KEY: "a key that this program does not use at all",
    };
    for (let time = 1; time <= 2; time += 1) {
      const migration = startProgram(program, environment);
      expect(await migration.ended, migration.output()).toBe(0);
      expect(migration.output()).toMatch(/^The tables are those of version \S+\.$/m);
    }
    const client = new pg.Client({ connectionString: testDatabaseUrl(name) });
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as count from pg_tables where schemaname in ('test_registry', 'test_executioner', 'security_service') and rowsecurity",
    );
    await client.end();
    expect(rows[0].count).toBeGreaterThan(50);
  } finally {
    await administrate((client) => client.query(`drop database ${name} with (force)`));
  }
});

test("without a database it says what it needs", async () => {
  const migration = startProgram(program);
  expect(await migration.ended).toBe(1);
  expect(migration.output()).toContain("DATABASE_URL is needed");
});
