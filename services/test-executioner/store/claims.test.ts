import fc from "fast-check";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../../kit/testing/databases.ts";
import { LastServed, noOrganizationYet } from "../jobs/last-served.ts";
import { openQueue, type Queue, toQueued } from "../testing/queue.ts";
import { claimExecutions, extendLeases, releaseExecutions } from "./claims.ts";
import { schemaName, table } from "./tables.ts";

const organizations = ["a", "b", "c", "d"].map(() => uuidv7());

for (const engine of bothEngines()) {
  let queue: Queue;
  beforeAll(async () => {
    queue = await openQueue(engine);
  });
  afterAll(() => queue.close());

  test(`${engine.name}: claims, longer leases and returns add nothing to any index`, async () => {
    await sql`truncate ${table("unfinished_executions")}`.execute(queue.db);
    await queue.add(organizations[0]!, 10);
    await queue.db.transaction().execute(async (transaction) => {
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
    await queue.clear();
  });

  test(`${engine.name}: while work is drained and added, each organization's executions start in order and each gets its share`, async () => {
    const step = fc.record({
      added: fc.array(fc.tuple(fc.nat({ max: organizations.length - 1 }), fc.nat({ max: 30 })), { maxLength: 4 }),
      most: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await queue.clear();
        const waiting = new Map<string, string[]>(organizations.map((id) => [id, []]));
        for (const { added, most } of [...steps, { added: [], most: 1_000 }]) {
          for (const [index, count] of added) {
            const organization = organizations[index]!;
            waiting.get(organization)!.push(...(await queue.add(organization, count)));
          }
          const withWork = [...waiting.values()].filter(({ length }) => length > 0).length;
          const claimed = await queue.claim({ max: most, mostOfOne: 1_000 });
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
    await queue.clear();
    const added = (await Promise.all(organizations.map((organization) => queue.add(organization, 60)))).flat();
    const claimed: string[] = [];
    const drain = async () => {
      for (;;) {
        const taken = await queue.claim({ max: 16 });
        if (taken.length === 0) return;
        claimed.push(...taken.map(({ id }) => id));
      }
    };
    await Promise.all([drain(), drain(), drain()]);
    claimed.push(...(await queue.claim({ max: 1_000, mostOfOne: 1_000 })).map(({ id }) => id));
    expect(claimed.sort()).toEqual(added.sort());
  });

  test(`${engine.name}: a small organization's first execution starts within one claim, however many others are waiting`, async () => {
    await queue.clear();
    const [big, small] = organizations as [string, string];
    await queue.add(big, 2_000);
    const [first] = await queue.add(small, 1);
    expect((await queue.claim({ max: 4 })).map(({ id }) => id)).toContain(first);
  });

  test(`${engine.name}: with fewer slots than organizations, those that have waited longest go first`, async () => {
    await queue.clear();
    const firsts: string[] = [];
    for (const organization of [...organizations].reverse()) firsts.push((await queue.add(organization, 5))[0]!);
    expect((await queue.claim({ max: 2 })).map(({ id }) => id)).toEqual(firsts.slice(0, 2));
  });

  test(`${engine.name}: with fewer slots than organizations, they take turns, however old the others' executions are`, async () => {
    await queue.clear();
    for (const organization of organizations) await queue.add(organization, 20);
    const newcomer = uuidv7();
    const [first] = await queue.add(newcomer, 1);
    const served = new LastServed();
    const turns: string[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      const [claimed] = await queue.claim({ max: 1, served: served.list() });
      served.note([claimed!.organization_id]);
      turns.push(claimed!.organization_id);
      if (claimed!.organization_id === newcomer) expect(claimed!.id).toBe(first);
    }
    expect(turns).toEqual([...organizations, newcomer, ...organizations]);
  });

  test(`${engine.name}: of more organizations than one claim looks at, each has its turn before any has another`, async () => {
    await queue.clear();
    const many = Array.from({ length: 400 }, () => uuidv7());
    for (const _ of [1, 2]) {
      await queue.db
        .insertInto("unfinished_executions")
        .values(many.map((organization) => toQueued(organization, 1)))
        .execute();
    }
    const served = new LastServed();
    const turns: string[] = [];
    while (turns.length < 2 * many.length) {
      const claimed = await queue.claim({ max: 100, served: served.list(), after: served.furthest });
      expect(claimed).toHaveLength(100);
      served.note(claimed.map((one) => one.organization_id));
      turns.push(...claimed.map((one) => one.organization_id));
    }
    expect(new Set(turns.slice(0, many.length)).size).toBe(many.length);
    expect(new Set(turns.slice(many.length)).size).toBe(many.length);
  });

  test(`${engine.name}: an organization at its cap is skipped, one below it gets as many as fit`, async () => {
    await queue.clear();
    const [full, some, none] = organizations as [string, string, string];
    for (const organization of [full, some, none]) await queue.add(organization, 10);
    const claimed = await queue.claim({
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
}
