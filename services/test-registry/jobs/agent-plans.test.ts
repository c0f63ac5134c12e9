import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { registerTestAgent } from "../../test-executioner/testing/agent.ts";
import { createPlannedWorld, listPastMoments, period, toReport, toResults } from "../testing/planned-world.ts";

for (const engine of testEngines()) {
  const { world, scheduled, moveTo, makeLocated, close } = await createPlannedWorld(await engine.open());
  afterAll(close);

  test(`${engine.name}: an agent gets the due times of the next hour, and circles it knows are not sent again`, async () => {
    const located = await makeLocated();
    const { scheduleId } = await located.plan();
    const { schedules, leftOut } = await located.agent.plan();
    expect(leftOut).toBe(0);
    expect(schedules).toMatchObject([{ scheduleId, circle: { order: "sequential", members: [{ fence: 0 }] } }]);
    const [{ moments, circle }] = schedules as [(typeof schedules)[number]];
    expect(moments.slice(0, 2)).toEqual(listPastMoments());
    expect(moments).toHaveLength(13);
    const { expiresAt } = await located.agent.unseal(circle!.members[0]!);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(65 * 60_000);
    const again = await located.agent.plan({ known: [{ scheduleId, tag: "other" }] });
    expect(again.schedules[0]!.circle).toBeDefined();
    const known = [{ scheduleId, tag: again.schedules[0]!.tag }];
    const third = await located.agent.plan({ known });
    // Unless five minutes ended in between.
    if (third.schedules[0]!.tag === known[0]!.tag) expect(third.schedules[0]).not.toHaveProperty("circle");
    expect(third.schedules[0]!.moments).toEqual(moments);
  });

  test(`${engine.name}: what an agent started while the portal was away is one run each, late, with the agent's results and times`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    await plan();
    const [planned] = (await agent.plan()).schedules;
    const [first, last] = listPastMoments();
    moveTo(last, 90);
    const list = () => scheduled.listOccurrences(tenant);
    // The scheduler is back before the agent: nothing is sent twice.
    await expect.poll(async () => (await list()).map(({ state }) => state)).toEqual(["missed", "waiting"]);
    expect((await list())[1]).toMatchObject({ reason: "An agent may have started it while the portal was away." });
    for (const moment of [first, last]) {
      expect(await located.send(planned!, moment)).toMatchObject({ outcome: "recorded" });
      // As after a lost response.
      expect(await located.send(planned!, moment)).toMatchObject({ outcome: "recorded", executions: [] });
    }
    const occurrences = await list();
    expect(occurrences).toMatchObject(
      [first, last].map((scheduledFor) => ({
        ...{ scheduledFor, state: "started", isLate: true, reason: null },
        run: { state: "finished", verdict: "passed" },
      })),
    );
    const run = await located.getRun(occurrences[0]!.run!.id);
    const at = (seconds: number) => new Date(Date.parse(first) + seconds * 1_000).toISOString();
    expect(run).toMatchObject({ lateAgentId: agent.agentId, trigger: "schedule", queuedAt: first, startedAt: at(30) });
    expect(run.members.items).toMatchObject([
      { agentId: agent.agentId, isLate: true, startedAt: at(30), finishedAt: at(31) },
    ]);
    const { items } = requireValue(await tenant.client.listRuns({ query: {} }), "runs");
    expect(items.map(({ id }) => id)).toEqual(occurrences.map((one) => one.run!.id).reverse());
  });

  test(`${engine.name}: an agent that reports before the scheduler looks has its run, and the scheduler creates no other`, async () => {
    const located = await makeLocated();
    await located.plan();
    const [planned] = (await located.agent.plan()).schedules;
    const [first, last] = listPastMoments();
    await located.send(planned!, last);
    moveTo(last, 90);
    await expect
      .poll(async () => (await scheduled.listOccurrences(located.tenant)).map(({ state }) => state))
      .toEqual(["missed", "started"]);
    await located.send(planned!, first);
    const { items } = requireValue(await located.tenant.client.listRuns({ query: {} }), "runs");
    expect(items.map(({ queuedAt }) => queuedAt)).toEqual([last, first]);
    // The older one does not become the test's latest result.
    const { circle } = planned!;
    const query = { testIds: [circle!.members[0]!.test.id] };
    const latest = requireValue(await located.tenant.client.listLatestExecutions({ query } as never), "latest");
    expect(latest.items).toMatchObject([{ queuedAt: last, state: "finished" }]);
  });

  test(`${engine.name}: due times after the portal is back are neither skipped nor doubled for what agents report`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    const { scheduleId } = await plan();
    const [planned] = (await agent.plan()).schedules;
    const [first, last] = listPastMoments();
    const next = new Date(Date.parse(last) + period * 1_000).toISOString();
    const list = async () => (await scheduled.listOccurrences(tenant)).map(({ state }) => state);
    moveTo(last, 90);
    await expect.poll(list).toEqual(["missed", "waiting"]);
    // One waits already: the agent's report creates both runs.
    moveTo(next, 1);
    await expect.poll(list).toEqual(["missed", "waiting", "missed"]);
    for (const moment of [last, next]) await located.send(planned!, moment);
    expect(await list()).toEqual(["missed", "started", "started"]);
    // Its results are on their way.
    const [outcome] = await agent.reportOccurrences([toReport(planned!, first)]);
    const afterNext = new Date(Date.parse(next) + period * 1_000).toISOString();
    moveTo(afterNext, -200);
    await agent.plan();
    await sql`update test_executioner.agent_schedules set moments = '{}' where schedule_id = ${scheduleId}`.execute(
      world.database.kysely,
    );
    moveTo(afterNext, 1);
    await expect.poll(list).toEqual(["started", "started", "started", "started"]);
    await agent.report(toResults(planned!, outcome!.executions, first));
    expect((await scheduled.listOccurrences(tenant))[0]).toMatchObject({ run: { verdict: "passed" } });
  });

  test(`${engine.name}: what no agent has started is caught up once its agent calls`, async () => {
    const located = await makeLocated();
    await located.plan();
    await located.agent.plan();
    const [, last] = listPastMoments();
    moveTo(last, 90);
    const list = async () => (await scheduled.listOccurrences(located.tenant)).map(({ state }) => state);
    await expect.poll(list).toEqual(["missed", "waiting"]);
    await located.agent.plan();
    await expect.poll(list).toEqual(["missed", "started"]);
    // Its executions wait at the location.
    expect((await located.agent.take({ waitSeconds: 5 })).items).toHaveLength(1);
  });

  test(`${engine.name}: an occurrence that the portal has started itself is answered by what the agent has`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    await plan();
    const [planned] = (await agent.plan()).schedules;
    const [, last] = listPastMoments();
    moveTo(last, 30);
    const find = async () =>
      (await scheduled.listOccurrences(tenant)).find(({ scheduledFor }) => scheduledFor === last);
    await expect.poll(find).toMatchObject({ state: "waiting" });
    await agent.plan();
    await expect.poll(find).toMatchObject({ state: "started" });
    const { run } = (await find())!;
    // It is no longer assigned to the agent.
    expect(await located.send(planned!, last)).toMatchObject({ reason: "It is not assigned to this agent." });
    moveTo(last, -30);
    await agent.plan();
    const outcome = await located.send(planned!, last);
    expect(outcome.executions).toHaveLength(1);
    const finished = await located.getRun(run!.id);
    expect(finished).toMatchObject({ verdict: "passed", counts: { executions: 1 } });
    expect(finished).not.toHaveProperty("lateAgentId");
    expect((await agent.take()).items).toEqual([]);
  });

  test(`${engine.name}: two agents of a location share its schedules, each assigned to one`, async () => {
    const located = await makeLocated();
    const other = await registerTestAgent(world, located.tenant, located.locationId, { name: "other" });
    for (let index = 0; index < 6; index += 1) await located.plan();
    const ids = (plan: Awaited<ReturnType<typeof other.plan>>) => plan.schedules.map(({ scheduleId }) => scheduleId);
    await located.agent.take();
    expect(ids(await located.agent.plan())).toHaveLength(6);
    await other.take();
    // The first one's plan does not consider the second yet.
    expect(ids(await other.plan())).toEqual([]);
    const ofFirst = ids(await located.agent.plan());
    const ofSecond = ids(await other.plan());
    expect(ofFirst.length + ofSecond.length).toBe(6);
    expect(new Set([...ofFirst, ...ofSecond]).size).toBe(6);
  });
}
