import { sql } from "kysely";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bothEngines } from "../../kit/testing/databases.ts";
import { giveUp } from "../jobs/leased.ts";
import type { ExecutionTask } from "../jobs/snapshots.ts";
import { openQueue, type Queue } from "../testing/queue.ts";
import {
  claimExhausted,
  endAllLeases,
  extendLeases,
  giveUpExecution,
  mostClaims,
  releaseExecutions,
  requeueLost,
} from "./claims.ts";
import { table } from "./tables.ts";

const organization = uuidv7();

for (const engine of bothEngines()) {
  let queue: Queue;
  beforeAll(async () => {
    queue = await openQueue(engine);
  });
  afterAll(() => queue.close());

  test(`${engine.name}: returned executions are first in the queue again, uncounted; those that lost their worker are counted`, async () => {
    await queue.clear();
    const ids = await queue.add(organization, 3);
    const [held] = await queue.claim({ max: 1 });
    await releaseExecutions(queue.db, [held!]);
    const [again] = await queue.claim({ max: 1 });
    expect(again).toMatchObject({ id: ids[0], claims: 1 });
    expect(again!.fencing_token).toBeGreaterThan(held!.fencing_token);
    const loseWorker = () =>
      queue.db
        .updateTable("unfinished_executions")
        .set({ leased_until: new Date(0) })
        .where("id", "=", ids[0]!)
        .execute();
    await loseWorker();
    expect(await requeueLost(queue.db)).toBe(1);
    expect(await queue.claim({ max: 1 })).toMatchObject([{ id: ids[0], claims: 2 }]);
    await loseWorker();
    expect(await claimExhausted(queue.db, 30)).toEqual([]);
    expect(await requeueLost(queue.db)).toBe(1);
    expect(await queue.claim({ max: 1 })).toMatchObject([{ id: ids[0], claims: mostClaims }]);
    // After so many lost workers, the next would probably be lost, too.
    await loseWorker();
    expect(await requeueLost(queue.db)).toBe(0);
    expect(await claimExhausted(queue.db, 30)).toMatchObject([{ id: ids[0], claims: mostClaims }]);
  });

  test(`${engine.name}: a lease lasts by the database's clock, whatever the worker's clock says`, async () => {
    for (const now of [new Date(0), new Date("2999-01-01")]) {
      await queue.clear();
      await queue.add(organization, 1);
      vi.useFakeTimers({ toFake: ["Date"], now });
      try {
        const [held] = await queue.claim({ now, leaseSeconds: 3_600 });
        const secondsLeft = async () => {
          const { rows } = await sql<{ left: number }>`
            select extract(epoch from leased_until - now())::float8 as left
            from ${table("unfinished_executions")}`.execute(queue.db);
          return rows[0]!.left;
        };
        expect(await secondsLeft()).toBeGreaterThan(0);
        expect(await secondsLeft()).toBeLessThanOrEqual(3_600);
        expect([await requeueLost(queue.db), await claimExhausted(queue.db, 30)]).toEqual([0, []]);
        expect(await extendLeases(queue.db, [held!], 7_200)).toEqual(new Set([held!.id]));
        expect(await secondsLeft()).toBeGreaterThan(3_600);
        expect(await secondsLeft()).toBeLessThanOrEqual(7_200);
        // Its last worker has it.
        await queue.db.updateTable("unfinished_executions").set({ claims: mostClaims }).execute();
        expect(await claimExhausted(queue.db, 30)).toEqual([]);
        await endAllLeases(queue.db);
        expect(await claimExhausted(queue.db, 3_600)).toHaveLength(1);
        expect(await secondsLeft()).toBeGreaterThan(0);
        expect(await secondsLeft()).toBeLessThanOrEqual(3_600);
      } finally {
        vi.useRealTimers();
      }
    }
  });

  test(`${engine.name}: a worker that was taken over can't extend, return or give up its executions`, async () => {
    await queue.clear();
    await queue.add(organization, 1);
    const [lost] = await queue.claim();
    await endAllLeases(queue.db);
    expect(await requeueLost(queue.db)).toBe(1);
    const [taken] = await queue.claim({ leaseSeconds: 3_600 });
    const before = await queue.db.selectFrom("unfinished_executions").selectAll().execute();
    expect(before).toMatchObject([{ state: "running", fencing_token: taken!.fencing_token, claims: 2 }]);
    expect(await extendLeases(queue.db, [lost!], 7_200)).toEqual(new Set());
    await releaseExecutions(queue.db, [lost!]);
    await giveUpExecution(queue.db, lost!, { pauseSeconds: 0, counts: true });
    expect(await queue.db.selectFrom("unfinished_executions").selectAll().execute()).toEqual(before);
  });

  test(`${engine.name}: outages of the database use up no claim of an execution, errors on our side do`, async () => {
    await queue.clear();
    await queue.add(organization, 1);
    const lose = async (error: Error) => {
      const [execution] = await queue.claim();
      const task = { execution } as ExecutionTask;
      await giveUp(
        { db: queue.db, log: pino({ level: "silent" }) },
        { task, heldUntil: Number.POSITIVE_INFINITY },
        error,
      );
      await endAllLeases(queue.db);
      return await requeueLost(queue.db);
    };
    const outage = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    for (let number = 0; number < 5; number += 1) expect(await lose(outage)).toBe(1);
    const requeued: number[] = [];
    for (let number = 0; number < mostClaims; number += 1) requeued.push(await lose(new Error("unexpected")));
    expect(requeued).toEqual([1, 1, 0]);
  });
}
