import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { migrations } from "./migrations.ts";
import { createComingPartitions } from "./partitions.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

test("ids of a moment start at its first one", () => {
  const moment = new Date();
  const id = uuidv7();
  expect(id >= firstIdOf(moment)).toBe(true);
  expect(id < firstIdOf(new Date(moment.getTime() + 60_000))).toBe(true);
});

for (const engine of bothEngines()) {
  test(`${engine.name}: months get their partitions in advance, once, also by several processes at the same time`, async () => {
    const database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    const db = database.inSchema<ExecutionTables>(schemaName);
    const now = new Date("2031-11-15T00:00:00Z");
    await Promise.all([1, 2, 3].map(() => createComingPartitions(db, now)));
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname like 'executions_203%' and relkind = 'r' order by 1`.execute(
      db,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "executions_2031_11",
      "executions_2031_12",
      "executions_2032_01",
      "executions_2032_02",
    ]);
    await database.close();
  });
}
