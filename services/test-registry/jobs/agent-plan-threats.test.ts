import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { registerTestAgent } from "../../test-executioner/testing/agent.ts";
import { createPlannedWorld, listPastMoments, toReport } from "../testing/planned-world.ts";

for (const engine of testEngines()) {
  const { world, scheduled, makeLocated, close } = await createPlannedWorld(await engine.open());
  afterAll(close);
  type Located = Awaited<ReturnType<typeof makeLocated>>;

  const countRuns = async () => {
    const { rows } = await sql<{ runs: number }>`select count(*)::int as runs from test_executioner.runs`.execute(
      world.database.kysely,
    );
    return rows[0]!.runs;
  };
  const planOne = async (located: Located) => {
    const given = await located.plan();
    const [planned] = (await located.agent.plan()).schedules;
    return { ...given, planned: planned! };
  };

  test(`${engine.name}: G06: an agent's report creates no run of an occurrence that is not assigned to it, or not due`, async () => {
    const ours = await makeLocated();
    const { planned } = await planOne(ours);
    const theirs = await makeLocated();
    const neighbour = await registerTestAgent(world, ours.tenant, ours.locationId, { name: "neighbour" });
    const elsewhere = requireValue(await ours.tenant.user.createLocation({ body: { name: "Paris" } }), "a location");
    const atParis = await registerTestAgent(world, ours.tenant, elsewhere.id);
    const before = await countRuns();
    const [first] = listPastMoments();
    const report = toReport(planned, first);
    const invented = new Date(Date.parse(first) + 60_000).toISOString();
    const refusals = [
      ...[neighbour, atParis, theirs.agent].map((agent) => [agent, report] as const),
      [ours.agent, { ...report, scheduledFor: invented }] as const,
      [ours.agent, { ...report, scheduleId: theirs.tenant.organizationId }] as const,
    ];
    for (const [agent, forged] of refusals)
      expect(await agent.reportOccurrences([forged])).toMatchObject([
        { outcome: "refused", reason: "It is not assigned to this agent.", executions: [] },
      ]);
    const early = planned.moments.find((moment) => Date.parse(moment) > Date.now())!;
    expect(await ours.agent.reportOccurrences([toReport(planned, early)])).toMatchObject([
      { outcome: "refused", reason: "It is not due yet." },
    ]);
    // Reporting it as held assigns it to no one.
    await neighbour.plan({ held: [{ scheduleId: planned.scheduleId, scheduledFor: first }] });
    expect(await neighbour.reportOccurrences([report])).toMatchObject([{ outcome: "refused" }]);
    expect(await countRuns()).toBe(before);
    expect(await scheduled.listOccurrences(ours.tenant)).toEqual([]);
    // The positive control.
    expect(await ours.agent.reportOccurrences([report])).toMatchObject([{ outcome: "recorded" }]);
    expect(await countRuns()).toBe(before + 1);
  });

  test(`${engine.name}: G06: an agent can't make it more, other or earlier executions than its circle has`, async () => {
    const located = await makeLocated();
    const { planned } = await planOne(located);
    const [first] = listPastMoments();
    const report = toReport(planned, first);
    const [execution] = report.executions;
    const before = await countRuns();
    const changed = "Its circle or one of its tests was changed in the meantime.";
    for (const forged of [
      { ...report, members: 2 },
      { ...report, executions: [...report.executions, { ...execution!, position: 2 }] },
      { ...report, executions: [{ ...execution!, testVersion: 9 }] },
      { ...report, executions: [{ ...execution!, testId: located.locationId }] },
    ])
      expect(await located.agent.reportOccurrences([forged])).toMatchObject([{ outcome: "refused", reason: changed }]);
    expect(await countRuns()).toBe(before);
    const long = { ...execution!, startedAt: "1999-01-01T00:00:00.000Z" };
    await located.agent.reportOccurrences([{ ...report, executions: [long] }]);
    const [occurrence] = await scheduled.listOccurrences(located.tenant);
    const { startedAt } = requireValue(
      await located.tenant.client.getRun({ params: { runId: occurrence!.run!.id }, query: {} }),
      "run",
    );
    expect(startedAt).toBe(first);
  });

  test(`${engine.name}: what was paused, changed or deleted meanwhile is refused with its reason`, async () => {
    const [first] = listPastMoments();
    const refusal = async (
      change: (located: Located, given: Awaited<ReturnType<typeof planOne>>) => Promise<unknown>,
    ) => {
      const located = await makeLocated();
      const given = await planOne(located);
      await change(located, given);
      const [outcome] = await located.agent.reportOccurrences([toReport(given.planned, first)]);
      expect(outcome).toMatchObject({ outcome: "refused", executions: [] });
      return outcome!.reason;
    };
    const changedSchedule = "Its schedule was changed, paused or deleted in the meantime.";
    const paused = await refusal(async ({ registry }, { scheduleId }) => {
      const { version: _, ...schedule } = requireValue(await registry.getSchedule({ params: { scheduleId } }), "it");
      const body = { timeZone: schedule.timeZone, everySeconds: 300, enabled: false };
      requireValue(await registry.changeSchedule({ params: { scheduleId }, body, headers: {} } as never), "paused");
    });
    expect(paused).toBe(changedSchedule);
    const deleted = await refusal(async ({ registry }, { circleId }) =>
      requireValue(await registry.deleteCircle({ params: { testCircleId: circleId } } as never), "deleted"),
    );
    expect(deleted).toBe(changedSchedule);
    const changed = await refusal(async ({ registry }, { planned }) => {
      const { id: testId, version } = planned.circle!.members[0]!.test;
      const found = requireValue(await registry.getTest({ params: { testId } } as never), "test");
      const body = { ...(found as object), name: "another name" };
      const headers = { "if-match": `"${version}"` };
      requireValue(await registry.changeTest({ params: { testId }, body, headers } as never), "changed");
    });
    expect(changed).toBe("Its circle or one of its tests was changed in the meantime.");
  });

  test(`${engine.name}: G06: a revoked agent can neither get a plan nor report`, async () => {
    const located = await makeLocated();
    const { planned } = await planOne(located);
    const params = { agentId: located.agent.agentId };
    requireValue(await located.tenant.user.revokeAgent({ params }), "revoke");
    const [first] = listPastMoments();
    expect((await located.agent.send("occurrences", { items: [toReport(planned, first)] })).status).toBe(401);
    expect((await located.agent.send("plan", { version: "1.2.3" })).status).toBe(401);
  });
}
