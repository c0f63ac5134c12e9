import fc from "fast-check";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { CountedExecution } from "../domain/tally.ts";
import { storedRun } from "../testing/stored-run.ts";
import { toConfiguration } from "./configuration.ts";
import { countSteps, listOperationTrends, listOperationVerdicts } from "./count-reads.ts";
import { countExecutions, forgetCountsOfApis, forgetCountsOfTests } from "./counts.ts";
import { migrations } from "./migrations.ts";
import { recountExecutions } from "./recount.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

const start = new Date("2026-03-08T22:00:00Z");
const lastMilliseconds = 4 * 3_600_000;
const fourHours = {
  starts: [0, 1, 2, 3].map((hour) => new Date(start.getTime() + hour * 3_600_000).toISOString()),
  until: new Date(start.getTime() + lastMilliseconds).toISOString(),
};

/**
 * Two APIs with two operations each, two tests per operation, in four hours of two days; in the order of their ends.
 */
function someExecutions(organizationId: string, shortest = 1) {
  const tests = [uuidv7(), uuidv7()].flatMap((apiId) =>
    ["/a", "/b"].flatMap((path) => [1, 2].map(() => ({ apiId, path, method: "get", testId: uuidv7() }))),
  );
  const circles = [uuidv7(), uuidv7()];
  const execution = fc.record({
    of: fc.constantFrom(...tests),
    verdict: fc.constantFrom(...executionVerdicts),
    testVersion: fc.constantFrom(1, 2),
    statusCode: fc.constantFrom(200, 404, 503, null),
    causeCode: fc.constantFrom("timeout", "credential_missing", null),
    responseMilliseconds: fc.option(fc.double({ min: 1, max: 5_000, noNaN: true })),
    offset: fc.integer({ min: 0, max: lastMilliseconds - 1 }),
    rowIndex: fc.constantFrom(null, 0),
    testCircleId: fc.constantFrom(...circles, null),
  });
  return fc
    .uniqueArray(execution, { minLength: shortest, maxLength: 60, selector: ({ offset }) => offset })
    .map((all): CountedExecution[] =>
      all
        .sort((one, other) => one.offset - other.offset)
        .map(({ of, offset, testVersion, ...rest }) => {
          const configuration = toConfiguration(
            { test_version: testVersion, credential_id: null, location_id: null },
            "{}",
            false,
          );
          return {
            id: uuidv7(),
            organizationId,
            ...of,
            ...rest,
            configuration,
            finishedAt: new Date(start.getTime() + offset),
          };
        }),
    );
}

const firstVersion = toConfiguration({ test_version: 1, credential_id: null, location_id: null }, "{}", false);

/** Each in its own run, of its circle if it has one. */
async function storeFinished(db: ExecutionDatabase, executions: CountedExecution[]): Promise<void> {
  await db
    .insertInto("runs")
    .values(
      executions.map(({ id, organizationId, testCircleId, verdict, finishedAt }) =>
        storedRun({
          ...{ id, organization_id: organizationId, test_circle_id: testCircleId },
          ...{ verdict, finished_at: finishedAt },
        }),
      ),
    )
    .execute();
  await db
    .insertInto("executions")
    .values(
      executions.map((execution) => ({
        id: execution.id,
        organization_id: execution.organizationId,
        run_id: execution.id,
        phase: "main" as const,
        position: 1,
        test_id: execution.testId,
        test_version: execution.configuration === firstVersion ? 1 : 2,
        test_name: "a test",
        api_id: execution.apiId,
        method: execution.method.toUpperCase(),
        path: execution.path,
        row_index: execution.rowIndex,
        state: "finished" as const,
        verdict: execution.verdict,
        cause: execution.causeCode && JSON.stringify({ code: execution.causeCode, detail: "" }),
        trigger: "manual" as const,
        reason: null,
        attempt_count: 1,
        status_code: execution.statusCode,
        response_milliseconds: execution.responseMilliseconds,
        queued_at: execution.finishedAt,
        started_at: execution.finishedAt,
        finished_at: execution.finishedAt,
      })),
    )
    .execute();
}

const countTables = [
  "execution_counts",
  "day_counts",
  "operation_counts",
  "operation_verdicts",
  "last_verdicts",
] as const;

async function readCounts(db: ExecutionDatabase, organizationId: string) {
  const tables = countTables.map(async (name) => {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(known) - 'replaced_verdict')::text as row from ${table(name)} known where organization_id = ${organizationId}::uuid
      order by 1`.execute(db);
    return [name, rows.map(({ row }) => row)];
  });
  return Object.fromEntries(await Promise.all(tables)) as Record<(typeof countTables)[number], string[]>;
}

for (const engine of testEngines()) {
  let database: Database;
  let db: ExecutionDatabase;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<ExecutionTables>(schemaName);
  });
  afterAll(() => database.close());

  test(`${engine.name}: counts of results equal the sums of their executions`, async () => {
    await fc.assert(
      fc.asyncProperty(someExecutions(uuidv7()), fc.integer({ min: 1, max: 20 }), async (executions, batchSize) => {
        for (const name of [...countTables, "executions", "runs"] as const) await db.deleteFrom(name).execute();
        for (let first = 0; first < executions.length; first += batchSize) {
          await countExecutions(db, executions.slice(first, first + batchSize));
        }
        const { organizationId } = executions[0]!;
        const counted = await readCounts(db, organizationId);
        for (const name of countTables) await db.deleteFrom(name).execute();
        await storeFinished(db, executions);
        await recountExecutions(db, organizationId, async () => {});
        expect(counted).toEqual(await readCounts(db, organizationId));
      }),
      { numRuns: 25 },
    );
  });

  test(`${engine.name}: workers that count concurrently count everything once`, async () => {
    const organizationId = uuidv7();
    const executions = fc.sample(someExecutions(organizationId, 60), 8).flat();
    const batches = Array.from({ length: 16 }, (_, batch) => executions.filter((__, index) => index % 16 === batch));
    await Promise.all(
      batches.map((batch) => db.transaction().execute((transaction) => countExecutions(transaction, batch.reverse()))),
    );
    const ran = executions.filter(({ verdict }) => verdict !== "skipped").length;
    const operations = await listOperationTrends(db, { organizationId, from: start });
    expect((await countSteps(db, { organizationId, subjectId: organizationId, ...fourHours })).total.executions).toBe(
      ran,
    );
    expect(operations.reduce((sum, operation) => sum + operation.executions, 0)).toBe(ran);
  });

  test(`${engine.name}: results stored while counts are repaired are counted once`, async () => {
    const organizationId = uuidv7();
    const [before, counted, stored] = [1, 2, 3].map(() => fc.sample(someExecutions(organizationId, 20), 1)[0]);
    await storeFinished(db, before!);
    const first = await db.startTransaction().execute();
    await storeFinished(first, counted!);
    await countExecutions(first, counted!);
    const second = await db.startTransaction().execute();
    await storeFinished(second, stored!);
    const repairing = recountExecutions(db, organizationId, async () => {});
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(1);
    });
    await first.commit().execute();
    await countExecutions(second, stored!);
    await second.commit().execute();
    await repairing;
    const wrong = await recountExecutions(db, organizationId, async (_, corrected) => corrected);
    expect(wrong).toMatchObject({ execution_counts: 0, operation_verdicts: 0 });
  });

  test(`${engine.name}: a repeated result rolls back with its transaction and counts nothing`, async () => {
    const organizationId = uuidv7();
    const [execution] = fc.sample(someExecutions(organizationId), 1)[0]!;
    const failing = db.transaction().execute(async (transaction) => {
      await countExecutions(transaction, [execution!]);
      throw new Error("the worker is gone");
    });
    await expect(failing).rejects.toThrow("the worker is gone");
    expect(Object.values(await readCounts(db, organizationId)).flat()).toEqual([]);
  });

  test(`${engine.name}: a path longer than an index allows is counted`, async () => {
    const organizationId = uuidv7();
    const path = `/${Array.from({ length: 120 }, () => uuidv7()).join("/")}`.slice(0, 4_000);
    const [execution] = fc.sample(someExecutions(organizationId), 1)[0]!;
    const executions = [{ ...execution!, path, statusCode: 200 }];
    await countExecutions(db, executions);
    const operations = [
      { method: "GET", path: "/" },
      { method: "GET", path },
    ];
    expect(await listOperationVerdicts(db, organizationId, execution!.apiId, operations)).toMatchObject([
      { operation: 1, status: 200, executionId: execution!.id },
    ]);
  });

  test(`${engine.name}: a deleted test's and a deleted API's counts are deleted, the organization's remain`, async () => {
    const organizationId = uuidv7();
    const executions = fc.sample(someExecutions(organizationId, 40), 1)[0]!;
    await countExecutions(db, executions);
    const [{ apiId, testId }] = executions as [CountedExecution];
    const getExecutions = async (subjectId: string) =>
      (await countSteps(db, { organizationId, subjectId, ...fourHours })).total.executions;
    const ran = executions.filter(({ verdict }) => verdict !== "skipped");
    const ofApi = ran.filter((execution) => execution.apiId === apiId).length;
    await forgetCountsOfTests(db, organizationId, [testId]);
    expect(await Promise.all([testId, apiId, organizationId].map(getExecutions))).toEqual([0, ofApi, ran.length]);
    expect(JSON.stringify(await readCounts(db, organizationId))).not.toContain(testId);
    await forgetCountsOfApis(db, organizationId, [apiId]);
    expect(await Promise.all([apiId, organizationId].map(getExecutions))).toEqual([0, ran.length]);
    expect(await listOperationTrends(db, { organizationId, from: start, apiId })).toEqual([]);
  });
}
