import fc from "fast-check";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { getPercentile } from "../domain/response-times.ts";
import { type CountedExecution, count, findUnsteady, hasRun, toAddend } from "../domain/tally.ts";
import { sentBuckets } from "../testing/sent-histogram.ts";
import { countOutcomes, countSteps } from "./count-reads.ts";
import { countExecutions, forgetCountsOfTests } from "./counts.ts";
import { migrations } from "./migrations.ts";
import { recountExecutions } from "./recount.ts";
import { deleteCountsStep, firstKey } from "./retention.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** Both clock changes of every zone below lie in the year before. */
const lastMoment = Date.parse("2026-11-22T14:20:00Z");
const configuration = "00000000-0000-7000-8000-000000000000";
const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Kiritimati"];

/** For one test, so that unsteady executions follow from their order. */
const history = fc
  .record({
    organizationId: fc.constant(0).map(() => uuidv7()),
    testId: fc.constant(0).map(() => uuidv7()),
    daysAgo: fc.integer({ min: 1, max: 300 }),
  })
  .chain(({ organizationId, testId, daysAgo }) =>
    fc
      .uniqueArray(
        fc.record({
          verdict: fc.constantFrom(...executionVerdicts),
          statusCode: fc.constantFrom(200, 503, null),
          responseMilliseconds: fc.option(fc.double({ min: 0.05, max: 900_000, noNaN: true })),
          // Half of them are close together: in the hours around midnights and the end.
          before: fc.oneof(fc.integer({ min: 0, max: 3 * day }), fc.integer({ min: 0, max: daysAgo * day })),
        }),
        { minLength: 1, maxLength: 60, selector: ({ before }) => before },
      )
      .map((all): CountedExecution[] =>
        all
          .sort((one, other) => other.before - one.before)
          .map(({ before, ...rest }) => ({
            ...{ id: uuidv7(), organizationId, testId, apiId: organizationId, testCircleId: null, method: "get" },
            ...{ path: "/", rowIndex: null, causeCode: null, configuration, ...rest },
            finishedAt: new Date(lastMoment - hour - before),
          })),
      ),
  );

/** Days or quarters of days of a zone, hours, or windows of any lengths. */
const range = fc
  .record({
    zone: fc.constantFrom(...zones),
    days: fc.constantFrom(1, 2, 7, 30, 90),
    shape: fc.constantFrom("days", "hours", "windows"),
    windows: fc.uniqueArray(fc.integer({ min: 1, max: 90 * 24 }), { minLength: 1, maxLength: 6 }),
    untilBefore: fc.constantFrom(0, 5 * hour, 11 * hour, 14 * hour + 20 * 60_000, 3 * day),
  })
  .map(({ zone, days, shape, windows, untilBefore }) => {
    const until = lastMoment - untilBefore;
    const starts = {
      days: () => Array.from({ length: days }, (_, index) => startOfDay(zone, until, index + 1 - days)),
      hours: () => Array.from({ length: Math.min(days, 7) * 24 }, (_, index) => until - (index + 1) * hour).reverse(),
      windows: () => windows.map((hours) => Math.floor(until / hour - hours) * hour).sort((one, other) => one - other),
    }[shape]();
    return { starts: starts.map((start) => new Date(start).toISOString()), until: new Date(until).toISOString() };
  });

const getHour = ({ finishedAt }: CountedExecution) => Math.floor(finishedAt.getTime() / hour) * hour;

/** By hand: each execution counts to the step that its hour begins in. */
function countByHand(executions: CountedExecution[], { starts, until }: { starts: string[]; until: string }) {
  const unsteady = new Set(findUnsteady(executions.filter(hasRun), null).unsteady);
  return starts.map((start, index) => {
    const end = Date.parse(starts[index + 1] ?? until);
    const own = executions.filter((one) => getHour(one) >= Date.parse(start) && getHour(one) < end);
    const { verdicts: of, ...rest } = count(own.map((one) => toAddend(one, unsteady.has(one.id))));
    const times = sentBuckets(own.flatMap(({ responseMilliseconds: time }) => (time === null ? [] : [time])));
    return {
      executions: own.length - of.skipped,
      ...{ passed: of.passed, failed: of.failed, errored: of.errored + of.blocked, flaky: of.flaky },
      ...{ unsteady: rest.unsteady, available: rest.available, unavailable: rest.unavailable },
      ...{ p50: getPercentile(times, 0.5), p95: getPercentile(times, 0.95), p99: getPercentile(times, 0.99) },
    };
  });
}

for (const engine of bothEngines()) {
  let database: Database;
  let db: ExecutionDatabase;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<ExecutionTables>(schemaName);
  });
  afterAll(() => database.close());

  /** Days whose counts are not the sums of their hours. */
  async function findWrongDays(organizationId: string): Promise<unknown[]> {
    const { rows } = await sql`
      with added as (
        select subject_id, (hour at time zone 'UTC')::date as day, sum(passed) as passed, sum(failed) as failed,
          sum(errored) as errored, sum(flaky) as flaky, sum(skipped) as skipped, sum(blocked) as blocked,
          sum(unsteady) as unsteady, sum(available) as available, sum(unavailable) as unavailable,
          sum(response_times) as response_times
        from ${table("execution_counts")} where organization_id = ${organizationId}::uuid group by 1, 2
      ), known as (
        select subject_id, day, passed, failed, errored, flaky, skipped, blocked, unsteady, available, unavailable,
          response_times
        from ${table("day_counts")} where organization_id = ${organizationId}::uuid
      )
      (table added except table known) union all (table known except table added)`.execute(db);
    return rows;
  }

  test(`${engine.name}: steps count the executions that ended in them, in every zone, over days and hours`, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(range, { minLength: 1, maxLength: 6 }), async (executions, ranges) => {
        const [{ organizationId, testId }] = executions as [CountedExecution];
        for (let first = 0; first < executions.length; first += 7) {
          await countExecutions(db, executions.slice(first, first + 7));
        }
        expect(await findWrongDays(organizationId)).toEqual([]);
        for (const steps of ranges) {
          const byHand = countByHand(executions, steps);
          const counted = await countSteps(db, { organizationId, subjectId: testId, ...steps });
          expect(counted.steps).toEqual(byHand);
          expect(counted.total.executions).toBe(byHand.reduce((sum, step) => sum + step.executions, 0));
          const subjectIds = [uuidv7(), organizationId, testId];
          const [nobodys, , ofTest] = await countOutcomes(db, { organizationId, subjectIds, ...steps });
          expect(ofTest!.steps.map(({ available }) => available)).toEqual(byHand.map(({ available }) => available));
          expect(ofTest!.steps.map(({ passed }) => passed)).toEqual(byHand.map((step) => step.passed + step.flaky));
          expect(nobodys!.steps.every(({ passed, notPassed }) => passed + notPassed === 0)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  test(`${engine.name}: days remain the sums of their hours when some hours are deleted or repaired`, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 0, max: 4 * day }), async (executions, stored) => {
        const [{ organizationId, testId }] = executions as [CountedExecution];
        await countExecutions(db, executions);
        const cutoff = new Date(lastMoment - stored);
        await deleteCountsStep(db, { organizationId, after: firstKey, limit: 100, cutoff });
        expect(await findWrongDays(organizationId)).toEqual([]);
        await countExecutions(db, executions.slice(-3));
        await forgetCountsOfTests(db, organizationId, [testId]);
        expect(await findWrongDays(organizationId)).toEqual([]);
        // None of these was stored, so a recount removes them all.
        const corrected = await recountExecutions(db, organizationId, async (_, wrong) => wrong);
        expect(corrected.execution_counts).toBeGreaterThan(0);
        const { rows } = await sql`select from ${table("day_counts")}
          where organization_id = ${organizationId}::uuid`.execute(db);
        expect(rows).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  test(`${engine.name}: counts that an older version adds to hours only are added to their days by the database`, async () => {
    const [executions] = fc.sample(history, 1);
    const [{ organizationId }] = executions as [CountedExecution];
    await countExecutions(db, executions!);
    await sql`update ${table("execution_counts")} set passed = passed + 1
      where organization_id = ${organizationId}::uuid`.execute(db);
    expect(await findWrongDays(organizationId)).toEqual([]);
  });

  test(`${engine.name}: wrong days are repaired from their hours`, async () => {
    const [executions] = fc.sample(history, 1);
    const [{ organizationId }] = executions as [CountedExecution];
    await countExecutions(db, executions!);
    await sql`update ${table("day_counts")} set passed = passed + 1
      where organization_id = ${organizationId}::uuid`.execute(db);
    expect(await findWrongDays(organizationId)).not.toEqual([]);
    await recountExecutions(db, organizationId, async () => {});
    expect(await findWrongDays(organizationId)).toEqual([]);
  });

  test(`${engine.name}: the migration fills days from existing hours`, async () => {
    const own = await engine.open();
    try {
      const { "017-day-counts": _, "029-days-with-hours": __, ...before } = migrations;
      await migrateSchema(own, schemaName, before);
      const older = own.inSchema<ExecutionTables>(schemaName);
      const executions = fc.sample(history, 1)[0]!;
      const [{ organizationId, testId }] = executions as [CountedExecution];
      await countExecutions(db, executions);
      const counted = await sql<{ hours: string }>`select jsonb_agg(counts)::text as hours
        from ${table("execution_counts")} counts where organization_id = ${organizationId}::uuid`.execute(db);
      await sql`insert into ${table("execution_counts")} select * from jsonb_populate_recordset(
        null::${table("execution_counts")}, ${counted.rows[0]!.hours}::jsonb)`.execute(older);
      await migrateSchema(own, schemaName, migrations);
      const starts = Array.from({ length: 90 }, (_, index) => new Date(lastMoment - (90 - index) * day).toISOString());
      const steps = { starts, until: new Date(lastMoment).toISOString() };
      expect((await countSteps(older, { organizationId, subjectId: testId, ...steps })).steps).toEqual(
        countByHand(executions, steps),
      );
    } finally {
      await own.close();
    }
  });
}
