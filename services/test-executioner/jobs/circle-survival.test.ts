import { sql } from "kysely";
import { expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase } from "../../kit/testing/databases.ts";
import { findBreaches, type PlannedCircle, startCircleTarget } from "../testing/circle-target.ts";
import { startWorker } from "../testing/worker.ts";
import { createExecutionWorld } from "../testing/world.ts";

const kills = repetitions(1, 20);
const circlesAtOnce = 4;

/** A different kind for each number: sequential or parallel, stopping or not, sometimes with a failing set-up. */
function getPlan(number: number): PlannedCircle {
  const chance = () => Math.random() < 0.15;
  const member = (phase: "setUp" | "main" | "tearDown", fails: boolean) => ({
    ...{ phase, fails },
    milliseconds: Math.random() * 150,
  });
  return {
    members: [
      ...[member("setUp", false), member("setUp", number % 4 === 3)],
      ...Array.from({ length: 12 }, () => member("main", chance())),
      ...[member("tearDown", chance()), member("tearDown", false)],
    ],
    order: number % 2 === 0 ? "sequential" : "parallel",
    concurrency: 3,
    stopOnFailure: number % 3 === 0,
  };
}

test("J01: kills among two workers break no rule of a circle: none is stuck, every tear-down runs", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { work: false, leaseSeconds: 3, withAnalyzer: true });
  const circles = await startCircleTarget();
  const tenant = await world.createTenant(circles.target.baseUrl);
  const started: { plan: PlannedCircle; log: ReturnType<typeof circles.plan>; runId: string }[] = [];

  async function startCircle(): Promise<void> {
    const name = `circle${started.length}`;
    const plan = getPlan(started.length);
    const log = circles.plan(name, plan);
    const members = [];
    for (const [index, { phase }] of plan.members.entries()) {
      members.push({ phase, testId: (await tenant.createTest({ name: `${index}`, path: `/${name}/${index}` })).id });
    }
    const { order, concurrency, stopOnFailure } = plan;
    const { id: testCircleId } = await tenant.createCircle({ members, order, concurrency, stopOnFailure });
    const body = { source: { testCircleId } };
    const { id: runId } = requireValue(await tenant.client.startRun({ query: {}, body }), "start");
    started.push({ plan, log, runId });
  }

  let [doomed, other] = [startWorker(url), startWorker(url)];
  await Promise.all([doomed.accepted, other.accepted]);
  for (let number = 0; number < kills; number += 1) {
    for (let one = 0; one < circlesAtOnce; one += 1) await startCircle();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_200));
    await doomed.kill();
    [doomed, other] = [other, startWorker(url)];
    await other.accepted;
  }
  const countUnfinished = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from test_executioner.unfinished_executions`.execute(database.kysely);
    return rows[0]!.count;
  };
  await expect.poll(countUnfinished).toBe(0);
  await doomed.kill();
  await other.kill();
  for (const { plan, log, runId } of started) {
    expect(findBreaches(plan, log)).toEqual([]);
    const run = requireValue(await tenant.client.getRun({ params: { runId }, query: { limit: 200 } }), "get");
    expect(run).toMatchObject({ state: "finished", counts: { executions: plan.members.length, unfinished: 0 } });
    run.members.items.forEach(({ phase, verdict, state }, index) => {
      expect(state).toBe("finished");
      const wasSent = log.some((one) => one.index === index);
      expect(wasSent).toBe(verdict !== "skipped");
      if (phase === "tearDown") expect(wasSent).toBe(true);
    });
  }
  reportFigure(`circles: ${started.length}, kills: ${kills}, stuck, without tear-down or out of order: 0`);
  await world.stop();
  await database.close();
  await circles.target.close();
  await drop();
});
