import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/databases.ts";
import { startPgBouncer } from "../testing/pgbouncer.ts";
import { openPostgresDatabase } from "./database.ts";
import { notify } from "./notifications.ts";

let server: TestDatabase;
beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(() => server.drop());

test("PgBouncer in session mode: sessions keep their settings, and notifications arrive", async () => {
  const pooler = await startPgBouncer(server.url, "session");
  const database = await openPostgresDatabase(pooler.url, { maximumConnections: 5 });
  try {
    const heard = new Promise<string | undefined>((resolve) => void database.subscribe("pooled", resolve));
    const names = await Promise.all(
      ["a", "b", "c", "d", "e"].map((name) =>
        database.kysely.connection().execute(async (connection) => {
          await sql`select set_config('pooler.name', ${name}, false)`.execute(connection);
          const { rows } = await sql<{ name: string }>`select current_setting('pooler.name') as name`.execute(
            connection,
          );
          return rows[0]!.name;
        }),
      ),
    );
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
    await notify(database.kysely, "pooled", "hello");
    expect(await heard).toBe("hello");
  } finally {
    await database.close();
    await pooler.stop();
  }
});

test("PgBouncer in transaction mode is refused at the start, with the reason", async () => {
  const pooler = await startPgBouncer(server.url, "transaction");
  try {
    await expect(openPostgresDatabase(pooler.url)).rejects.toThrow(
      "DATABASE_URL leads to a pooler that shares connections between transactions",
    );
  } finally {
    await pooler.stop();
  }
});
