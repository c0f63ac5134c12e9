import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { inPipeline } from "../../kit/database/pipeline.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { type ClaimedExecution, releaseExecutions } from "./claims.ts";
import { migrations } from "./migrations.ts";
import { readQueueFigures } from "./queue-figures.ts";
import { type ExecutionResult, storeResults } from "./results.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName } from "./tables.ts";
import { releaseNext } from "./turns.ts";

for (const engine of bothEngines()) {
  let database: Database;
  let db: ExecutionDatabase;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<ExecutionTables>(schemaName);
  });
  afterAll(() => database.close());

  /** A run with waiting members, none of them released. */
  async function addRun(order: "sequential" | "parallel", concurrency: number | null, members: number) {
    const id = uuidv7();
    const of = { id, organization_id: id, trigger: "manual" as const, queued_at: new Date() };
    await db
      .insertInto("runs")
      .values({
        ...{ ...of, source_kind: "circle", test_circle_id: id, execution_order: order, concurrency },
        ...{ stop_on_failure: false, surroundings: "{}", state: "running", is_cancelled: false },
        ...{ tests: members, executions: members, unfinished: members, cancelled: 0, left_out: 0 },
        ...{ passed: 0, failed: 0, errored: 0, flaky: 0, skipped: 0, blocked: 0 },
      })
      .execute();
    const own = { run_id: id, phase: "main" as const, test_id: id, test_version: 1, test_name: "t", api_id: id };
    await db
      .insertInto("unfinished_executions")
      .values(
        Array.from({ length: members }, (_, index) => ({
          ...{ ...of, ...own, id: uuidv7(), position: index + 1, method: "get", path: "/", row_index: null },
          ...{ state: "queued" as const, is_released: false, fencing_token: 0, claims: 0 },
        })),
      )
      .execute();
    return id;
  }

  async function listMembers(runId: string) {
    const rows = await db
      .selectFrom("unfinished_executions")
      .select(["state", "is_released", "fencing_token", "claims", "started_at"])
      // By the database's clock: `now` below is long past.
      .select(sql<boolean>`coalesce(leased_until > now(), false)`.as("isLeased"))
      .where("run_id", "=", runId)
      .orderBy("position")
      .execute();
    return rows;
  }

  const now = new Date("2026-03-01T10:00:00Z");
  const taking = { leaseSeconds: 60, now, max: 1 };
  const queued = { state: "queued", fencing_token: 0, claims: 0, isLeased: false, started_at: null };
  const behind = { ...queued, is_released: false };
  const claimed = { ...queued, state: "running", is_released: true, fencing_token: 1, claims: 1, isLeased: true };

  const resultOf = (execution: ClaimedExecution): ExecutionResult => ({
    ...{ execution, verdict: "passed", reason: null, host: null, credentialId: null },
    ...{ attempts: [], attemptCount: 0, verifications: [], captures: [], statusCode: 200 },
    ...{ responseMilliseconds: 1, sendingMilliseconds: null },
    ...{ finishedAt: now, mayMoveOthers: true, gaveValues: false, taking },
  });
  const store = (result: ExecutionResult, onHanded?: Parameters<typeof storeResults>[4]) =>
    inPipeline(db, (pipeline) => storeResults(pipeline, [result], new Date(), async () => {}, onHanded));

  test(`${engine.name}: a worker that continues with a run has its next member claimed; other members are found waiting`, async () => {
    const [goesOn, waits] = [await addRun("sequential", null, 2), await addRun("sequential", null, 2)];
    const { released, handed } = await releaseNext(db, [goesOn, waits], new Map([[goesOn, taking]]));
    expect(released).toMatchObject([{ run_id: waits, position: 1, location_id: null }]);
    expect(handed).toMatchObject([{ run_id: goesOn, position: 1, fencing_token: 1, claims: 1 }]);
    expect(await listMembers(goesOn)).toEqual([{ ...claimed, started_at: now }, behind]);
    expect(await listMembers(waits)).toEqual([{ ...queued, is_released: true }, behind]);
    expect(await releaseNext(db, [goesOn], new Map([[goesOn, taking]]))).toEqual({ released: [], handed: [] });
  });

  test(`${engine.name}: a member whose turn comes late has waited for a worker since its turn, not since its run's start`, async () => {
    await db.deleteFrom("unfinished_executions").execute();
    const run = await addRun("sequential", null, 2);
    const anHour = 3_600_000;
    await db
      .updateTable("unfinished_executions")
      .set({ queued_at: new Date(Date.now() - anHour) })
      .execute();
    await releaseNext(db, [run]);
    const { waiting, oldest } = await readQueueFigures(db, new Date());
    expect(waiting).toBe(1);
    expect(oldest!.getTime()).toBeGreaterThan(Date.now() - anHour / 2);
  });

  test(`${engine.name}: among concurrent members, a worker that continues gets the first waiting ones, as many as it ended`, async () => {
    const run = await addRun("parallel", 4, 6);
    const mine = { ...claimed, started_at: now };
    const free = { ...queued, is_released: true };
    const first = await releaseNext(db, [run], new Map([[run, { ...taking, max: 2 }]]));
    expect(first.handed.map(({ position }) => position).sort()).toEqual([1, 2]);
    expect(first.released).toHaveLength(2);
    expect(await listMembers(run)).toEqual([mine, mine, free, free, behind, behind]);
    await db.deleteFrom("unfinished_executions").where("run_id", "=", run).where("position", "=", 1).execute();
    const second = await releaseNext(db, [run], new Map([[run, taking]]));
    expect(second.handed.map(({ position }) => position)).toEqual([3]);
    expect(second.released).toMatchObject([{ run_id: run, position: 5 }]);
    expect(await listMembers(run)).toEqual([mine, mine, free, free, behind]);
  });

  test(`${engine.name}: a worker with a late result continues with nothing, and waiting members remain claimable`, async () => {
    const run = await addRun("sequential", null, 2);
    const [execution] = (await releaseNext(db, [run], new Map([[run, taking]]))).handed;
    // Another worker has ended it.
    await db.deleteFrom("unfinished_executions").where("id", "=", execution!.id).execute();
    await releaseNext(db, [run]);
    const told: ClaimedExecution[] = [];
    const stored = await store(resultOf(execution!), ({ handed }) => told.push(...handed));
    expect([stored.handed, told]).toEqual([[], []]);
    expect(await listMembers(run)).toMatchObject([{ state: "queued", is_released: true, claims: 0, isLeased: false }]);
  });

  test(`${engine.name}: J07: the result of a worker that was taken over is refused, and its successor's is stored`, async () => {
    const run = await addRun("sequential", null, 2);
    const [late] = (await releaseNext(db, [run], new Map([[run, taking]]))).handed;
    // Its lease expired, and another worker has the execution.
    await releaseExecutions(db, [late!]);
    const [successor] = (await releaseNext(db, [run], new Map([[run, taking]]))).handed;
    expect(successor!.id).toBe(late!.id);
    const before = await listMembers(run);
    expect((await store({ ...resultOf(late!), verdict: "failed" })).written).toEqual(new Set());
    expect(await listMembers(run)).toEqual(before);
    expect((await store(resultOf(successor!))).written).toEqual(new Set([late!.id]));
    const ended = db.selectFrom("executions").select(["id", "verdict"]).where("run_id", "=", run);
    expect(await ended.execute()).toEqual([{ id: late!.id, verdict: "passed" }]);
  });
}
