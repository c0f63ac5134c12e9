import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { lockOutcomes } from "./last-outcomes.ts";
import { migrations } from "./migrations.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

const organizationId = uuidv7();
const passed = (testId: string) => ({
  ...{ id: uuidv7(), organizationId, testId, rowIndex: null },
  ...{ verdict: "passed" as const, finishedAt: new Date() },
});

for (const engine of testEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
  });
  afterAll(() => database.close());

  test(`${engine.name}: workers lock tests in one order, also one that another worker has just added`, async () => {
    const db = database.inSchema<ExecutionTables>(schemaName);
    const [first, second, third] = [uuidv7(), uuidv7(), uuidv7()].map(passed);
    await lockOutcomes(db, [second!, third!]);
    const begin = async () => {
      const transaction = await db.startTransaction().execute();
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      return { transaction, pid: rows[0]!.pid };
    };
    type Begun = Awaited<ReturnType<typeof begin>>;
    const lockAndEnd = async ({ transaction }: Begun, tests: ReturnType<typeof passed>[]) => {
      const locked = await lockOutcomes(transaction, tests).then(({ size }) => size, String);
      await transaction.rollback().execute();
      return locked;
    };
    const isBlockedBy = (one: Begun, other: Begun) =>
      vi.waitFor(async () => {
        const { rows } = await sql`select pg_blocking_pids(${one.pid}::int) as by`.execute(db);
        expect(rows).toEqual([{ by: [other.pid] }]);
      });
    const [adding, holding, reading, late] = [await begin(), await begin(), await begin(), await begin()];
    await lockOutcomes(adding.transaction, [first!]);
    await lockOutcomes(holding.transaction, [third!]);
    const all = lockAndEnd(reading, [first!, second!, third!]);
    await isBlockedBy(reading, adding);
    await adding.transaction.commit().execute();
    await isBlockedBy(reading, holding);
    const two = lockAndEnd(late, [first!, second!]);
    await isBlockedBy(late, reading);
    await holding.transaction.commit().execute();
    expect(await Promise.all([all, two])).toEqual([3, 2]);
  });
}
