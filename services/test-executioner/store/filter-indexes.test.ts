import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { buildFilterIndexes } from "./filter-indexes.ts";
import { migrations } from "./migrations.ts";
import { createComingPartitions } from "./partitions.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

for (const engine of bothEngines()) {
  test(`${engine.name}: every partition of executions gets indexes of what is rare, also where building was interrupted`, async () => {
    const database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    const db = database.inSchema<ExecutionTables>(schemaName);
    await createComingPartitions(db, new Date("2031-11-15T00:00:00Z"));
    const listMissing = async () => {
      const { rows } = await sql<{ name: string }>`
        select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
        where inhparent = 'test_executioner.executions'::regclass
          and (select count(*) from pg_index join pg_class index on index.oid = indexrelid
            where indrelid = child.oid and indisvalid and index.relname ~ '_(verdicts|triggers)$') < 2`.execute(db);
      return rows.map(({ name }) => name);
    };
    expect(await listMissing()).toEqual([]);
    await sql`drop index test_executioner.executions_2031_11_verdicts`.execute(db);
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'test_executioner.executions_2031_12_triggers'::regclass`.execute(db);
    expect((await listMissing()).sort()).toEqual(["executions_2031_11", "executions_2031_12"]);
    await Promise.all([1, 2].map(() => buildFilterIndexes(db, database.engine)));
    expect(await listMissing()).toEqual([]);
    await database.close();
  });
}
