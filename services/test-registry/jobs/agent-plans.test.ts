import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { agentVersion, passedResult, registerTestAgent } from "../../test-executioner/testing/agent.ts";
import { createPlannedWorld, listPastMoments, period, toReport, toResults } from "../testing/planned-world.ts";

for (const engine of testEngines()) {
  const { world, scheduled, moveTo, makeLocated, close } = await createPlannedWorld(await engine.open());
  afterAll(close);
  type Located = Awaited<ReturnType<typeof makeLocated>>;

  const getRun = async ({ tenant }: Located, runId: string) =>
    requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "run");
  /** Reports a circle's occurrence and its results. */
  async function send({ agent }: Located, planned: Parameters<typeof toReport>[0], moment: string) {
    const [outcome] = await agent.reportOccurrences([toReport(planned, moment)]);
    if (outcome!.executions.length > 0) await agent.report(toResults(planned, outcome!.executions, moment));
    return outcome!;
  }

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
      expect(await send(located, planned!, moment)).toMatchObject({ outcome: "recorded" });
      // As after a lost response.
      expect(await send(located, planned!, moment)).toMatchObject({ outcome: "recorded", executions: [] });
    }
    const occurrences = await list();
    expect(occurrences).toMatchObject(
      [first, last].map((scheduledFor) => ({
        ...{ scheduledFor, state: "started", isLate: true, reason: null },
        run: { state: "finished", verdict: "passed" },
      })),
    );
    const run = await getRun(located, occurrences[0]!.run!.id);
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
    await send(located, planned!, last);
    moveTo(last, 90);
    await expect
      .poll(async () => (await scheduled.listOccurrences(located.tenant)).map(({ state }) => state))
      .toEqual(["missed", "started"]);
    await send(located, planned!, first);
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
    for (const moment of [last, next]) await send(located, planned!, moment);
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
    expect(await send(located, planned!, last)).toMatchObject({ reason: "It is not assigned to this agent." });
    moveTo(last, -30);
    await agent.plan();
    const outcome = await send(located, planned!, last);
    expect(outcome.executions).toHaveLength(1);
    const finished = await getRun(located, run!.id);
    expect(finished).toMatchObject({ verdict: "passed", counts: { executions: 1 } });
    expect(finished).not.toHaveProperty("lateAgentId");
    expect((await agent.take()).items).toEqual([]);
  });

  /** A due time that the portal has started itself, and that is assigned to the agent again. */
  async function startItself({ tenant, agent, plan }: Located, circle: Parameters<Located["plan"]>[0]) {
    await plan(circle);
    const [planned] = (await agent.plan({ runsAll: true })).schedules;
    const [, moment] = listPastMoments();
    moveTo(moment, 30);
    const find = async () =>
      (await scheduled.listOccurrences(tenant)).find(({ scheduledFor }) => scheduledFor === moment);
    await expect.poll(find).toMatchObject({ state: "waiting" });
    await agent.plan({ runsAll: true });
    await expect.poll(find).toMatchObject({ state: "started" });
    moveTo(moment, -30);
    await agent.plan({ runsAll: true });
    return { planned: planned!, moment, find };
  }

  const startedItself = { outcome: "refused", reason: "The portal started this run itself.", executions: [] };

  test(`${engine.name}: a circle with set-up that the portal has started continues with what that makes, not the agent's`, async () => {
    const located = await makeLocated();
    const { tenant, agent } = located;
    const members = await Promise.all(
      ["setUp", "tearDown"].map(async (phase) => ({
        ...{ testId: (await tenant.createTest()).id, phase: phase as "main" },
      })),
    );
    const { planned, moment, find } = await startItself(located, { members });
    expect(await send(located, planned, moment)).toMatchObject(startedItself);
    const [setUp] = (await agent.take({ waitSeconds: 5 })).items;
    expect(await send(located, planned, moment)).toMatchObject(startedItself);
    await agent.report([passedResult(setUp!)]);
    const [tearDown] = (await agent.take({ waitSeconds: 5 })).items;
    await agent.report([passedResult(tearDown!)]);
    expect(await find()).toMatchObject({ run: { state: "finished", verdict: "passed" } });
  });

  test(`${engine.name}: a run that the portal has started keeps what it generated, and is sent with that`, async () => {
    const located = await makeLocated();
    const { tenant, agent } = located;
    const { id: testId } = await tenant.createTest({
      request: { query: [{ name: "mark", value: "{{mark}}" }] } as never,
    });
    const variables = [{ name: "mark", value: "{{$uuid}}" }];
    const { planned, moment, find } = await startItself(located, { members: [{ testId }], variables });
    const generated = [{ name: "mark", value: "of the agent" }];
    const [outcome] = await agent.reportOccurrences([{ ...toReport(planned, moment), generated }]);
    expect(outcome).toMatchObject(startedItself);
    const [task] = (await agent.take({ waitSeconds: 5 })).items;
    const { captures } = await getRun(located, (await find())!.run!.id);
    expect((await agent.unseal(task!)).captures).toMatchObject([{ name: "mark", value: captures[0]!.value }]);
    expect(captures).toMatchObject([{ name: "mark", value: expect.stringMatching(/^[\da-f-]{36}$/) }]);
  });

  test(`${engine.name}: only schedules that an agent can run alone are assigned to it`, async () => {
    const located = await makeLocated();
    const { tenant, agent, locationId, plan } = located;
    const { id: first } = await tenant.createTest({
      captures: [{ name: "id", source: "jsonPath", property: "$.id" }],
    });
    const { id: second } = await tenant.createTest({ request: { query: [{ name: "id", value: "{{id}}" }] } as never });
    const { id: elsewhere } = await tenant.createTest({ locationId: null as never });
    const members = [{ testId: first }, { testId: second }];
    const { scheduleId } = await plan({ members, cookies: true });
    const { scheduleId: withSetUp } = await plan({ members: [{ testId: first, phase: "setUp" }, { testId: second }] });
    const generating = (value: string, secret = false) => ({ members, variables: [{ name: "unique", value, secret }] });
    const { scheduleId: generated } = await plan(generating("a {{$uuid}}"));
    await plan(generating("{{$uuid}}", true));
    await plan(generating("{{$uuid}}".repeat(300)));
    // It needs what no member captures.
    await plan({ members: [{ testId: second }] });
    const { scheduleId: onlyOwn } = await plan({ members, onlyOwn: true });
    await plan({ locationId: null, places: { portal: true, locationIds: [locationId], rule: "any" } as never });
    await plan({ locationId: null, members: [{ testId: elsewhere }] });
    const { schedules, leftOut } = await agent.plan();
    expect(schedules.map((one) => one.scheduleId)).toEqual([scheduleId]);
    const sealed = await agent.unseal(schedules[0]!.circle!.members[1]!);
    expect([sealed.captures, sealed.cookies]).toEqual([[], '{"cookies":[]}']);
    expect(leftOut).toBe(6);
    const unexpected = await Promise.all(
      ["yes", 1, null].map((runsAll) => agent.send("plan", { version: agentVersion, runsAll })),
    );
    expect(unexpected.map(({ status }) => status)).toEqual([422, 422, 422]);
    // Agents of the version before would run set-up beside the others, and generate nothing.
    const newer = await agent.plan({ runsAll: true });
    expect([newer.schedules.map((one) => one.scheduleId).sort(), newer.leftOut]).toEqual([
      [scheduleId, withSetUp, generated, onlyOwn].sort(),
      3,
    ]);
    const find = (id: string) => newer.schedules.find((one) => one.scheduleId === id)!.circle!;
    expect([find(scheduleId).generated, find(generated).generated]).toEqual([
      [],
      [{ name: "unique", text: "a {{$uuid}}" }],
    ]);
    // What the portal generated to prepare it is not sent along.
    expect((await agent.unseal(find(generated).members[0]!)).captures).toEqual([]);
    expect(find(onlyOwn).members.every(({ onlyOwn }) => onlyOwn !== undefined)).toBe(true);
  });

  test(`${engine.name}: of a circle with set-up, an agent's run has all members, and those that failed set-up ends are skipped`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    const tests = await Promise.all(
      ["setUp", "main", "main", "tearDown"].map(async (phase) => ({
        ...{ testId: (await tenant.createTest()).id, phase: phase as "main" },
      })),
    );
    await plan({ members: tests, order: "parallel", concurrency: 2 });
    const [planned] = (await agent.plan({ runsAll: true })).schedules;
    expect(planned!.circle!.members.map(({ phase }) => phase)).toEqual(["setUp", "main", "main", "tearDown"]);
    const [first, last] = listPastMoments();
    moveTo(last, 90);
    expect(await send(located, planned!, first)).toMatchObject({ outcome: "recorded" });

    const { executions, ...report } = toReport(planned!, last);
    const reported = { ...report, executions: executions.filter(({ position }) => position === 1 || position === 4) };
    const [outcome] = await agent.reportOccurrences([reported]);
    const [ofSetUp, ofTearDown] = toResults(planned!, outcome!.executions, last);
    // In any order, and in calls of their own.
    await agent.report([ofTearDown!]);
    await agent.report([{ ...ofSetUp!, verdict: "failed" }]);

    const occurrences = await scheduled.listOccurrences(tenant);
    const verdicts = await Promise.all(
      occurrences.map(async ({ run }) =>
        (await getRun(located, run!.id)).members.items.map(({ phase, verdict }) => `${phase} ${verdict}`),
      ),
    );
    expect(verdicts).toEqual([
      ["setUp passed", "main passed", "main passed", "tearDown passed"],
      ["setUp failed", "main skipped", "main skipped", "tearDown passed"],
    ]);
    expect(occurrences.map(({ run }) => run!.state)).toEqual(["finished", "finished"]);
    expect((await agent.take()).items).toEqual([]);
  });

  test(`${engine.name}: what an agent had left of a circle with set-up when it ended, the portal hands out in its order`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    const members = await Promise.all(
      ["setUp", "main", "tearDown"].map(async (phase) => ({
        ...{ testId: (await tenant.createTest()).id, phase: phase as "main" },
      })),
    );
    await plan({ members });
    const [planned] = (await agent.plan({ runsAll: true })).schedules;
    const [, last] = listPastMoments();
    moveTo(last, 90);
    const { executions, ...report } = toReport(planned!, last);
    const [outcome] = await agent.reportOccurrences([{ ...report, executions: executions.slice(0, 1) }]);
    await agent.report(toResults(planned!, outcome!.executions, last));
    for (const { testId } of members.slice(1)) {
      const { items } = await agent.take({ waitSeconds: 5 });
      expect(items.map(({ test }) => test.id)).toEqual([testId]);
      await agent.report([passedResult(items[0]!)]);
    }
    const started = (await scheduled.listOccurrences(tenant)).find(({ scheduledFor }) => scheduledFor === last);
    expect(started).toMatchObject({ run: { state: "finished", verdict: "passed" } });
  });

  test(`${engine.name}: what an agent generated for its run is the run's, also where the portal hands out the rest`, async () => {
    const located = await makeLocated();
    const { tenant, agent, plan } = located;
    const { id: first } = await tenant.createTest();
    const using = { query: ["mark", "password"].map((name) => ({ name, value: `{{${name}}}` })) };
    const { id: second } = await tenant.createTest({ request: using as never });
    const variables = [
      { name: "mark", value: "m {{$uuid}}", secret: false },
      { name: "password", value: "a long password", secret: true },
    ];
    await plan({ members: [{ testId: first }, { testId: second }], variables, onlyOwn: true });
    const [planned] = (await agent.plan({ runsAll: true })).schedules;
    const [, last] = listPastMoments();
    moveTo(last, 90);
    const { executions, ...report } = toReport(planned!, last);
    const reported = { ...report, executions: executions.slice(0, 1) };
    const unexpected = [
      "m",
      [{ name: "mark", value: 7 }],
      [{ name: "mark", value: "m".repeat(10_001) }],
      Array.from({ length: 201 }, (_, index) => ({ name: `mark${index}`, value: "m" })),
    ];
    const refusals = unexpected.map((generated) => agent.send("occurrences", { items: [{ ...reported, generated }] }));
    expect((await Promise.all(refusals)).map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const generated = ["mark", "password", "unknown"].map((name) => ({ name, value: "of the agent" }));
    const [outcome] = await agent.reportOccurrences([{ ...reported, generated }]);
    await agent.report(toResults(planned!, outcome!.executions, last));
    const { items } = await agent.take({ waitSeconds: 5 });
    const { captures } = await agent.unseal(items[0]!);
    expect(captures.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { name: "mark", isSecret: false, value: "of the agent", isUnique: true },
      { name: "password", isSecret: true, value: "a long password" },
    ]);
    await agent.report([passedResult(items[0]!)]);
    const started = (await scheduled.listOccurrences(tenant)).find(({ scheduledFor }) => scheduledFor === last);
    expect((await getRun(located, started!.run!.id)).captures).toMatchObject([
      { name: "mark", position: 0, value: "of the agent" },
      { name: "password", position: 0 },
    ]);
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
