import fc from "fast-check";
import { sql } from "kysely";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { LastServed, noOrganizationYet } from "../jobs/last-served.ts";
import { giveUp } from "../jobs/leased.ts";
import type { ExecutionTask } from "../jobs/snapshots.ts";
import {
  type ClaimedExecution,
  type ClaimOptions,
  claimExecutions,
  claimExhausted,
  endAllLeases,
  extendLeases,
  giveUpExecution,
  mostClaims,
  releaseExecutions,
  requeueLost,
} from "./claims.ts";
import { migrations } from "./migrations.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

const organizations = ["a", "b", "c", "d"].map(() => uuidv7());

for (const engine of bothEngines()) {
  let database: Database;
  let db: ExecutionDatabase;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<ExecutionTables>(schemaName);
  });
  afterAll(() => database.close());

  const toQueued = (organizationId: string, position: number, runId = uuidv7()) => ({
    id: uuidv7(),
    organization_id: organizationId,
    run_id: runId,
    phase: "main" as const,
    position,
    test_id: runId,
    test_version: 1,
    test_name: "t",
    api_id: runId,
    method: "get",
    path: "/",
    row_index: null,
    trigger: "api" as const,
    queued_at: new Date(),
    state: "queued" as const,
    is_released: true,
    fencing_token: 0,
    claims: 0,
  });

  /** Adds executions of an organization to the queue; returns their ids in the order of starting. */
  async function add(organizationId: string, count: number): Promise<string[]> {
    if (count === 0) return [];
    const runId = uuidv7();
    const rows = Array.from({ length: count }, (_, index) => toQueued(organizationId, index + 1, runId));
    await db.insertInto("unfinished_executions").values(rows).execute();
    return rows.map(({ id }) => id);
  }

  const claim = (options: Partial<ClaimOptions> = {}): Promise<ClaimedExecution[]> =>
    db.transaction().execute((transaction) =>
      claimExecutions(transaction, {
        ...{
          max: 12,
          mostOfOne: 100,
          capacities: new Map(),
          served: [],
          after: noOrganizationYet,
          leaseSeconds: 60,
          now: new Date(),
        },
        ...options,
      }),
    );
  const clear = () => db.deleteFrom("unfinished_executions").execute();

  test(`${engine.name}: claims, longer leases and returns add nothing to any index`, async () => {
    await sql`truncate ${table("unfinished_executions")}`.execute(db);
    await add(organizations[0]!, 10);
    await db.transaction().execute(async (transaction) => {
      const options = { max: 10, mostOfOne: 10, capacities: new Map(), served: [], after: noOrganizationYet };
      const claimed = await claimExecutions(transaction, { ...options, leaseSeconds: 60, now: new Date() });
      expect(claimed).toHaveLength(10);
      const some = claimed.slice(0, 2);
      expect((await extendLeases(transaction, some, 60)).size).toBe(2);
      await releaseExecutions(transaction, some);
      const { rows } = await sql<{ all: number; within: number }>`
        select n_tup_upd::int as all, n_tup_hot_upd::int as within from pg_stat_xact_user_tables
        where schemaname = ${schemaName} and relname = 'unfinished_executions'`.execute(transaction);
      expect(rows).toEqual([{ all: 14, within: 14 }]);
    });
    await clear();
  });

  test(`${engine.name}: while work is drained and added, each organization's executions start in order and each gets its share`, async () => {
    const step = fc.record({
      added: fc.array(fc.tuple(fc.nat({ max: organizations.length - 1 }), fc.nat({ max: 30 })), { maxLength: 4 }),
      most: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await clear();
        const waiting = new Map<string, string[]>(organizations.map((id) => [id, []]));
        for (const { added, most } of [...steps, { added: [], most: 1_000 }]) {
          for (const [index, count] of added) {
            const organization = organizations[index]!;
            waiting.get(organization)!.push(...(await add(organization, count)));
          }
          const withWork = [...waiting.values()].filter(({ length }) => length > 0).length;
          const claimed = await claim({ max: most, mostOfOne: 1_000 });
          for (const organization of organizations) {
            const line = waiting.get(organization)!;
            const own = claimed.filter(({ organization_id }) => organization_id === organization).map(({ id }) => id);
            expect(own).toEqual(line.slice(0, own.length));
            expect(own.length).toBeGreaterThanOrEqual(Math.min(line.length, Math.floor(most / Math.max(1, withWork))));
            expect(own.length).toBeLessThanOrEqual(Math.ceil(most / Math.max(1, withWork)));
            line.splice(0, own.length);
          }
          expect(claimed.length).toBeLessThanOrEqual(most);
          if (withWork > 0) expect(claimed.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 20 },
    );
  });

  test(`${engine.name}: concurrent claims take everything once`, async () => {
    await clear();
    const added = (await Promise.all(organizations.map((organization) => add(organization, 60)))).flat();
    const claimed: string[] = [];
    const drain = async () => {
      for (;;) {
        const taken = await claim({ max: 16 });
        if (taken.length === 0) return;
        claimed.push(...taken.map(({ id }) => id));
      }
    };
    await Promise.all([drain(), drain(), drain()]);
    claimed.push(...(await claim({ max: 1_000, mostOfOne: 1_000 })).map(({ id }) => id));
    expect(claimed.sort()).toEqual(added.sort());
  });

  test(`${engine.name}: a small organization's first execution starts within one claim, however many others are waiting`, async () => {
    await clear();
    const [big, small] = organizations as [string, string];
    await add(big, 2_000);
    const [first] = await add(small, 1);
    expect((await claim({ max: 4 })).map(({ id }) => id)).toContain(first);
  });

  test(`${engine.name}: with fewer slots than organizations, those that have waited longest go first`, async () => {
    await clear();
    const firsts: string[] = [];
    for (const organization of [...organizations].reverse()) firsts.push((await add(organization, 5))[0]!);
    expect((await claim({ max: 2 })).map(({ id }) => id)).toEqual(firsts.slice(0, 2));
  });

  test(`${engine.name}: with fewer slots than organizations, they take turns, however old the others' executions are`, async () => {
    await clear();
    for (const organization of organizations) await add(organization, 20);
    const newcomer = uuidv7();
    const [first] = await add(newcomer, 1);
    const served = new LastServed();
    const turns: string[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      const [claimed] = await claim({ max: 1, served: served.list() });
      served.note([claimed!.organization_id]);
      turns.push(claimed!.organization_id);
      if (claimed!.organization_id === newcomer) expect(claimed!.id).toBe(first);
    }
    expect(turns).toEqual([...organizations, newcomer, ...organizations]);
  });

  test(`${engine.name}: of more organizations than one claim looks at, each has its turn before any has another`, async () => {
    await clear();
    const many = Array.from({ length: 400 }, () => uuidv7());
    for (const _ of [1, 2]) {
      await db
        .insertInto("unfinished_executions")
        .values(many.map((organization) => toQueued(organization, 1)))
        .execute();
    }
    const served = new LastServed();
    const turns: string[] = [];
    while (turns.length < 2 * many.length) {
      const claimed = await claim({ max: 100, served: served.list(), after: served.furthest });
      expect(claimed).toHaveLength(100);
      served.note(claimed.map((one) => one.organization_id));
      turns.push(...claimed.map((one) => one.organization_id));
    }
    expect(new Set(turns.slice(0, many.length)).size).toBe(many.length);
    expect(new Set(turns.slice(many.length)).size).toBe(many.length);
  });

  test(`${engine.name}: an organization at its cap is skipped, one below it gets as many as fit`, async () => {
    await clear();
    const [full, some, none] = organizations as [string, string, string];
    for (const organization of [full, some, none]) await add(organization, 10);
    const claimed = await claim({
      max: 30,
      mostOfOne: 7,
      capacities: new Map([
        [full, 0],
        [some, 3],
      ]),
    });
    const countOf = (organization: string) => claimed.filter((one) => one.organization_id === organization).length;
    expect([full, some, none].map(countOf)).toEqual([0, 3, 7]);
  });

  test(`${engine.name}: returned executions are first in the queue again, uncounted; those that lost their worker are counted`, async () => {
    await clear();
    const [organization] = organizations as [string];
    const ids = await add(organization, 3);
    const [held] = await claim({ max: 1 });
    await releaseExecutions(db, [held!]);
    const [again] = await claim({ max: 1 });
    expect(again).toMatchObject({ id: ids[0], claims: 1 });
    expect(again!.fencing_token).toBeGreaterThan(held!.fencing_token);
    const loseWorker = () =>
      db
        .updateTable("unfinished_executions")
        .set({ leased_until: new Date(0) })
        .where("id", "=", ids[0]!)
        .execute();
    await loseWorker();
    expect(await requeueLost(db)).toBe(1);
    expect(await claim({ max: 1 })).toMatchObject([{ id: ids[0], claims: 2 }]);
    await loseWorker();
    expect(await claimExhausted(db, 30)).toEqual([]);
    expect(await requeueLost(db)).toBe(1);
    expect(await claim({ max: 1 })).toMatchObject([{ id: ids[0], claims: mostClaims }]);
    // After so many lost workers, the next would probably be lost, too.
    await loseWorker();
    expect(await requeueLost(db)).toBe(0);
    expect(await claimExhausted(db, 30)).toMatchObject([{ id: ids[0], claims: mostClaims }]);
  });

  test(`${engine.name}: a lease lasts by the database's clock, whatever the worker's clock says`, async () => {
    for (const now of [new Date(0), new Date("2999-01-01")]) {
      await clear();
      await add(organizations[0]!, 1);
      vi.useFakeTimers({ toFake: ["Date"], now });
      try {
        const [held] = await claim({ now, leaseSeconds: 3_600 });
        const secondsLeft = async () => {
          const { rows } = await sql<{ left: number }>`
            select extract(epoch from leased_until - now())::float8 as left
            from ${table("unfinished_executions")}`.execute(db);
          return rows[0]!.left;
        };
        expect(await secondsLeft()).toBeGreaterThan(0);
        expect(await secondsLeft()).toBeLessThanOrEqual(3_600);
        expect([await requeueLost(db), await claimExhausted(db, 30)]).toEqual([0, []]);
        expect(await extendLeases(db, [held!], 7_200)).toEqual(new Set([held!.id]));
        expect(await secondsLeft()).toBeGreaterThan(3_600);
        expect(await secondsLeft()).toBeLessThanOrEqual(7_200);
        // Its last worker has it.
        await db.updateTable("unfinished_executions").set({ claims: mostClaims }).execute();
        expect(await claimExhausted(db, 30)).toEqual([]);
        await endAllLeases(db);
        expect(await claimExhausted(db, 3_600)).toHaveLength(1);
        expect(await secondsLeft()).toBeGreaterThan(0);
        expect(await secondsLeft()).toBeLessThanOrEqual(3_600);
      } finally {
        vi.useRealTimers();
      }
    }
  });

  test(`${engine.name}: a worker that was taken over can't extend, return or give up its executions`, async () => {
    await clear();
    await add(organizations[0]!, 1);
    const [lost] = await claim();
    await endAllLeases(db);
    expect(await requeueLost(db)).toBe(1);
    const [taken] = await claim({ leaseSeconds: 3_600 });
    const before = await db.selectFrom("unfinished_executions").selectAll().execute();
    expect(before).toMatchObject([{ state: "running", fencing_token: taken!.fencing_token, claims: 2 }]);
    expect(await extendLeases(db, [lost!], 7_200)).toEqual(new Set());
    await releaseExecutions(db, [lost!]);
    await giveUpExecution(db, lost!, { pauseSeconds: 0, counts: true });
    expect(await db.selectFrom("unfinished_executions").selectAll().execute()).toEqual(before);
  });

  test(`${engine.name}: outages of the database use up no claim of an execution, errors on our side do`, async () => {
    await clear();
    await add(organizations[0]!, 1);
    const lose = async (error: Error) => {
      const [execution] = await claim();
      const task = { execution } as ExecutionTask;
      await giveUp({ db, log: pino({ level: "silent" }) }, { task, heldUntil: Number.POSITIVE_INFINITY }, error);
      await endAllLeases(db);
      return await requeueLost(db);
    };
    const outage = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    for (let number = 0; number < 5; number += 1) expect(await lose(outage)).toBe(1);
    const requeued: number[] = [];
    for (let number = 0; number < mostClaims; number += 1) requeued.push(await lose(new Error("unexpected")));
    expect(requeued).toEqual([1, 1, 0]);
  });
}
