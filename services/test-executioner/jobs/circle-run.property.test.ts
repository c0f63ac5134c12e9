import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Run } from "#contracts/test-executioner/runs.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import { type Database, openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/testing/databases.ts";
import { verdictRanks } from "../domain/verdict.ts";
import { findBreaches, type PlannedCircle, startCircleTarget } from "../testing/circle-target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const runs = repetitions(8, 100);

let stored: TestDatabase;
let databases: Database[];
let worlds: ExecutionWorld[];
let circles: Awaited<ReturnType<typeof startCircleTarget>>;
beforeAll(async () => {
  stored = await createTestDatabase();
  databases = [];
  worlds = [];
  // Two workers, each with its own connections, as in two processes.
  for (let worker = 0; worker < 2; worker += 1) {
    databases.push(await openPostgresDatabase(stored.url));
    worlds.push(await createExecutionWorld(databases.at(-1)!));
  }
  circles = await startCircleTarget();
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
  for (const database of databases) await database.close();
  await stored.drop();
  await circles.target.close();
});

const getMembers = (phase: CirclePhase, maxLength: number) =>
  fc.array(
    fc.record({
      phase: fc.constant(phase),
      fails: fc.nat(4).map((chance) => chance === 0),
      milliseconds: fc.nat(12),
    }),
    { maxLength },
  );
const planned: fc.Arbitrary<PlannedCircle> = fc
  .record({
    setUp: getMembers("setUp", 3),
    main: getMembers("main", 12),
    tearDown: getMembers("tearDown", 3),
    order: fc.constantFrom("sequential" as const, "parallel" as const),
    concurrency: fc.integer({ min: 1, max: 5 }),
    stopOnFailure: fc.boolean(),
  })
  .map(({ setUp, main, tearDown, ...ways }) => ({ members: [...setUp, ...main, ...tearDown], ...ways }))
  .filter(({ members }) => members.length > 0);

/** Ends that only the plan determines; undefined where they depend on timing. */
function expectedEnds({ members, order, stopOnFailure }: PlannedCircle): string[] | undefined {
  const hasSetUpFailed = members.some(({ phase, fails }) => phase === "setUp" && fails);
  if (stopOnFailure && order === "parallel" && !hasSetUpFailed) return undefined;
  let isStopped = false;
  return members.map(({ phase, fails }) => {
    const isSkipped = isStopped && phase !== "tearDown";
    if (fails && (phase === "setUp" || stopOnFailure)) isStopped = true;
    if (isSkipped) return "skipped";
    return fails ? "failed" : "passed";
  });
}

function expectCounted({ counts, members, verdict }: Run) {
  const own = members.items.map((member) => member.verdict);
  expect(counts.executions).toBe(own.length);
  for (const one of ["passed", "failed", "skipped"] as const) {
    expect(counts[one]).toBe(own.filter((its) => its === one).length);
  }
  const worst = own.reduce((rank, one) => Math.max(rank, one ? verdictRanks[one] : 0), 0);
  expect(verdict && verdictRanks[verdict]).toBe(worst || null);
}

let number = 0;

/** Starts a planned circle, optionally cancels it after a number of requests, and waits for its end. */
async function play(plan: PlannedCircle, cancelAfter: number | undefined) {
  number += 1;
  const name = `circle${number}`;
  const log = circles.plan(name, plan);
  const tenant = await worlds[0]!.createTenant(circles.target.baseUrl);
  const members = [];
  for (const [index, { phase }] of plan.members.entries()) {
    members.push({ phase, testId: (await tenant.createTest({ name: `${index}`, path: `/${name}/${index}` })).id });
  }
  const { order, concurrency, stopOnFailure } = plan;
  const circle = await tenant.createCircle({ members, order, concurrency, stopOnFailure });
  const body = { source: { testCircleId: circle.id } };
  const params = { runId: requireValue(await tenant.client.startRun({ query: {}, body }), "start").id };
  const get = async () => requireValue(await tenant.client.getRun({ params, query: { limit: 200 } }), "get");
  if (cancelAfter !== undefined) {
    await expect
      .poll(async () => log.filter(({ what }) => what === "begins").length >= cancelAfter || (await get()).finishedAt, {
        interval: 1,
      })
      .toBeTruthy();
    await tenant.client.cancelRun({ params });
  }
  await expect.poll(async () => (await get()).finishedAt, { interval: 10 }).toBeTruthy();
  return { run: await get(), log: [...log] };
}

test("for any circle, two workers respect its phases, order and concurrency, and tear down", async () => {
  await fc.assert(
    fc.asyncProperty(planned, async (plan) => {
      const { run, log } = await play(plan, undefined);
      expect(findBreaches(plan, log)).toEqual([]);
      expect(run).toMatchObject({ state: "finished", counts: { unfinished: 0, cancelled: 0 } });
      const ends = run.members.items.map(({ verdict }) => verdict);
      const expected = expectedEnds(plan);
      if (expected) expect(ends).toEqual(expected);
      // Each sent once, and none that was skipped.
      expect(
        log
          .filter(({ what }) => what === "begins")
          .map(({ index }) => index)
          .sort(),
      ).toEqual(ends.flatMap((verdict, index) => (verdict === "skipped" ? [] : [index])).sort());
      plan.members.forEach(({ phase, fails }, index) => {
        if (phase === "tearDown") expect(ends[index]).toBe(fails ? "failed" : "passed");
      });
      expectCounted(run);
    }),
    { numRuns: runs },
  );
  reportFigure(`circles played by two workers: ${runs}, breaches of their rules: 0`);
});

test("cancelled at any moment, a circle starts nothing more but its tear-down, and that only if anything had begun", async () => {
  await fc.assert(
    fc.asyncProperty(planned, fc.nat(14), async (plan, cancelAfter) => {
      const { run, log } = await play(plan, cancelAfter);
      expect(findBreaches(plan, log)).toEqual([]);
      expect(run.counts.unfinished).toBe(0);
      // Also cancelled if everything had started by then, and finished if it had ended before.
      if (run.state === "finished") expect(run.counts.cancelled).toBe(0);
      const hasBegun = log.some(({ index }) => plan.members[index]!.phase !== "tearDown");
      run.members.items.forEach(({ state, verdict }, index) => {
        const { phase, fails } = plan.members[index]!;
        if (phase === "tearDown" && hasBegun) expect(verdict).toBe(fails ? "failed" : "passed");
        const wasSent = log.some((one) => one.index === index);
        expect(wasSent).toBe(state === "finished" && verdict !== "skipped");
      });
      expectCounted(run);
    }),
    { numRuns: runs },
  );
  reportFigure(`circles cancelled: ${runs}, breaches of their rules: 0`);
});
