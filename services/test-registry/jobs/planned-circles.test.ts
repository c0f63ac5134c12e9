import { afterAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { agentVersion, passedResult } from "../../test-executioner/testing/agent.ts";
import { createPlannedWorld, listPastMoments, toReport, toResults } from "../testing/planned-world.ts";

for (const engine of testEngines()) {
  const { scheduled, moveTo, makeLocated, close } = await createPlannedWorld(await engine.open());
  afterAll(close);
  type Located = Awaited<ReturnType<typeof makeLocated>>;

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
    expect(await located.send(planned, moment)).toMatchObject(startedItself);
    const [setUp] = (await agent.take({ waitSeconds: 5 })).items;
    expect(await located.send(planned, moment)).toMatchObject(startedItself);
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
    const { captures } = await located.getRun((await find())!.run!.id);
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
    expect(await located.send(planned!, first)).toMatchObject({ outcome: "recorded" });

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
        (await located.getRun(run!.id)).members.items.map(({ phase, verdict }) => `${phase} ${verdict}`),
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
    expect((await located.getRun(started!.run!.id)).captures).toMatchObject([
      { name: "mark", position: 0, value: "of the agent" },
      { name: "password", position: 0 },
    ]);
  });
}
