import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { endSilent, lookAtSilence } from "../jobs/silent-locations.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { passedResult, registerTestAgent } from "../testing/agent.ts";
import { createLocatedWorld } from "../testing/located-world.ts";

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const engine of testEngines()) {
  const { world, target, get, begin, makeLocated, listMembers, close } = await createLocatedWorld(await engine.open());
  afterAll(close);

  test(`${engine.name}: what runs at a location waits for its agent, and nothing is sent from here`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    const before = target.requests.length;
    const runId = await start();
    // Longer than the portal's own workers take.
    await later(1_500);
    expect(await listMembers(tenant, runId)).toMatchObject([{ state: "queued", locationId }]);
    const { items, operations } = await agent.take();
    const [task] = items;
    expect(items).toHaveLength(1);
    expect(task).toMatchObject({ baseUrls: [null, null, target.baseUrl], test: { method: "get", path: "/" } });
    expect(operations).toEqual({});
    expect(await agent.report([passedResult(task!)])).toEqual({
      items: [{ executionId: task!.executionId, outcome: "recorded" }],
    });
    const [member] = await listMembers(tenant, runId);
    const { agentId } = agent;
    expect(member).toMatchObject({ state: "finished", verdict: "passed", statusCode: 200, locationId, agentId });
    const executionId = member!.executionId;
    expect(requireValue(await tenant.user.getExecution({ params: { executionId } }), "it")).toMatchObject({ agentId });
    expect(await get(tenant, runId)).toMatchObject({ state: "finished", verdict: "passed" });
    expect(target.requests.length).toBe(before);
  });

  test(`${engine.name}: a sequential run continues at its location with what was captured there`, async () => {
    const { tenant, agent, start } = await makeLocated();
    const captures = [{ name: "bookId", source: "jsonPath" as const, property: "$.id" }];
    const { id: first } = await tenant.createTest({ captures });
    const request = { query: [{ name: "id", value: "{{bookId}}" }] } as never;
    const { id: second } = await tenant.createTest({ request });
    const { id: third } = await tenant.createTest({ request: { query: [{ name: "id", value: "{{lost}}" }] } as never });
    const runId = await start({ tests: [first, second, third] }, { order: "sequential" });
    const one = await agent.take();
    expect(one.items).toHaveLength(1);
    const capture = { name: "bookId", isSecret: false, value: "7", type: "json" as const };
    await agent.report([passedResult(one.items[0]!, { captures: [capture] })]);
    const two = await agent.take({ waitSeconds: 5 });
    expect((await agent.unseal(two.items[0]!)).captures).toMatchObject([{ name: "bookId", value: "7" }]);
    await agent.report([passedResult(two.items[0]!)]);
    // What can't be sent is explained here, where the run is known.
    expect((await agent.take()).items).toEqual([]);
    const members = await listMembers(tenant, runId);
    expect(members.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "errored"]);
    expect(members[2]!.reason).toContain("lost");
  });

  test(`${engine.name}: a response that was lost is handed out again at once, and what the agent holds is not`, async () => {
    const { agent, start } = await makeLocated();
    await start();
    await start();
    const lost = (await agent.take({ max: 1 })).items;
    const { items } = await agent.take({ max: 1 });
    expect(items.map(({ executionId, fence }) => ({ executionId, fence }))).toEqual([
      { executionId: lost[0]!.executionId, fence: lost[0]!.fence + 1 },
    ]);
    const others = (await agent.take({ held: items.map(({ executionId, fence }) => ({ executionId, fence })) })).items;
    expect(others.map(({ executionId }) => executionId)).not.toContain(items[0]!.executionId);
    expect(others).toHaveLength(1);
    expect((await agent.report(lost.map((task) => passedResult(task)))).items[0]!.outcome).toBe("refused");
    expect((await agent.report(items.map((task) => passedResult(task)))).items[0]!.outcome).toBe("recorded");
  });

  test(`${engine.name}: a late result is recorded and marked, unless another agent has taken the execution up`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    const runId = await start();
    const [task] = (await agent.take()).items;
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    // The portal was away for five minutes, and has found a lease that ended.
    await sql`update test_executioner.unfinished_executions
      set started_at = ${ago(6)}, leased_until = ${ago(5)} where run_id = ${runId}`.execute(world.database.kysely);
    await expect.poll(async () => (await listMembers(tenant, runId))[0]!.state, { timeout: 30_000 }).toBe("queued");
    const late = passedResult(task!, { finishedAt: ago(4).toISOString() });
    expect((await agent.report([late])).items[0]!.outcome).toBe("recorded");
    expect(await listMembers(tenant, runId)).toMatchObject([{ verdict: "passed", isLate: true }]);

    const other = await registerTestAgent(world, tenant, locationId, { name: "other" });
    const second = await start();
    const [lost] = (await agent.take()).items;
    await sql`update test_executioner.unfinished_executions set leased_until = ${ago(5)}
      where run_id = ${second}`.execute(world.database.kysely);
    const [taken] = (await other.take({ waitSeconds: 20 })).items;
    expect((await agent.report([passedResult(lost!)])).items[0]!.outcome).toBe("refused");
    expect((await other.report([passedResult(taken!)])).items[0]!.outcome).toBe("recorded");
  });

  test(`${engine.name}: what waits where no agent calls for five minutes is not run, and not failed`, async () => {
    const { tenant, locationId, testId, start } = await makeLocated();
    const sequential = { order: "sequential" };
    const { id: second } = await tenant.createTest();
    const runId = await start({ tests: [testId, second] }, sequential);
    const parts = { db: world.database.inSchema<ExecutionTables>(schemaName), publishFinished: async () => {} };
    const endAfter = (minutes: number) =>
      endSilent({ ...parts, clock: { now: () => new Date(Date.now() + minutes * 60_000) } });
    await endAfter(4);
    expect(await get(tenant, runId)).toMatchObject({ state: "queued" });
    // The portal was away for most of the time.
    const clock = { now: () => new Date(Date.now() + 6 * 60_000) };
    const reports = { report: async () => {} };
    await lookAtSilence({ ...parts, clock, reports }, new Date(Date.now() + 2 * 60_000));
    expect(await get(tenant, runId)).toMatchObject({ state: "queued" });
    await endAfter(6);
    expect(await get(tenant, runId)).toMatchObject({ state: "finished", verdict: "skipped", counts: { skipped: 2 } });
    expect((await listMembers(tenant, runId))[0]!.reason).toBe("Not run: no agent of Berlin has called for 5 minutes.");
    const location = requireValue(await tenant.user.getLocation({ params: { locationId } }), "location");
    expect(location).toMatchObject({ waiting: 0, agents: { active: 0, silent: 1 } });
  });

  test(`${engine.name}: what an agent hands back starts again with another one`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    const other = await registerTestAgent(world, tenant, locationId, { name: "other" });
    await start();
    const { items } = await agent.take();
    expect(await agent.renew({ held: items })).toMatchObject({ held: [items[0]!.executionId] });
    expect(await agent.renew({ handedBack: items })).toEqual({ held: [], cancelled: [] });
    expect((await other.take()).items).toMatchObject([{ executionId: items[0]!.executionId }]);
  });

  test(`${engine.name}: a run that is cancelled is named to the agent that holds its member`, async () => {
    const { tenant, agent, start } = await makeLocated();
    const runId = await start();
    const { items } = await agent.take();
    await tenant.client.cancelRun({ params: { runId } });
    const { executionId } = items[0]!;
    expect(await agent.renew({ held: items })).toEqual({ held: [executionId], cancelled: [executionId] });
    await agent.renew({ handedBack: items });
    expect(await get(tenant, runId)).toMatchObject({ state: "cancelled" });
    expect(await listMembers(tenant, runId)).toMatchObject([{ reason: "Cancelled while waiting." }]);
  });

  test(`${engine.name}: agents of this and the previous minor version are accepted, others are refused with the reason`, async () => {
    const { agent } = await makeLocated();
    await agent.take({ version: "1.1.0" });
    await agent.take({ version: "1.3.9" });
    await expect(agent.take({ version: "1.0.9" })).rejects.toThrow(/conflict.*previous minor version/);
    await expect(agent.take({ version: "2.2.0" })).rejects.toThrow(/newer than the portal/);
  });

  test(`${engine.name}: a location of which nothing is stored is refused, and a deleted one leaves nothing waiting`, async () => {
    const { tenant, locationId, testId, start } = await makeLocated();
    const runId = await start();
    requireValue(await tenant.user.deleteLocation({ params: { locationId } }), "deletion");
    expect(await get(tenant, runId)).toMatchObject({ state: "finished", verdict: "skipped" });
    expect(await listMembers(tenant, runId)).toMatchObject([
      { verdict: "skipped", reason: "Not run: the location Berlin was deleted." },
    ]);
    const refused = await tenant.client.startRun({ body: { source: { tests: [testId] }, locationId } });
    expect(refused).toMatchObject({ ok: false, problem: { code: "invalid_input", errors: [{ path: "locationId" }] } });
  });

  test(`${engine.name}: runs go where their environment or circle says`, async () => {
    const { tenant, locationId, testId } = await makeLocated();
    const { id: paris } = requireValue(await tenant.user.createLocation({ body: { name: "Paris" } }), "a location");
    const environments = [{ name: "Inside", baseUrl: target.baseUrl, variables: {}, locationId }];
    const client = world.apiRegistry({ token: tenant.token });
    const params = { apiId: tenant.apiId };
    requireValue(await client.replaceEnvironments({ params, body: { items: environments } }), "environments");
    const inEnvironment = { source: { tests: [testId] }, environments: { [tenant.apiId]: "Inside" } };
    expect(await listMembers(tenant, (await begin(tenant, inEnvironment)).id)).toMatchObject([{ locationId }]);
    // As pages that don't know locations save it.
    const { locationId: _, ...known } = environments[0]!;
    const kept = requireValue(await client.replaceEnvironments({ params, body: { items: [known] } }), "environments");
    expect(kept.items).toMatchObject([{ locationId }]);
    const circle = await tenant.createCircle({
      members: [{ testId }],
      environments: { [tenant.apiId]: "Inside" },
      locationId: paris,
    });
    const ofCircle = (await begin(tenant, { source: { testCircleId: circle.id } })).id;
    expect(await listMembers(tenant, ofCircle)).toMatchObject([{ locationId: paris }]);
  });

  test(`${engine.name}: a test's own location precedes its circle's, and what a run chooses precedes both`, async () => {
    const { tenant, locationId, testId: ofCircle } = await makeLocated();
    const { id: paris } = requireValue(await tenant.user.createLocation({ body: { name: "Paris" } }), "a location");
    const { id: own } = await tenant.createTest({ locationId: paris });
    const circle = await tenant.createCircle({ members: [{ testId: own }, { testId: ofCircle }], locationId });
    const source = { testCircleId: circle.id };
    const placesOf = async (runId: string) =>
      (await listMembers(tenant, runId)).map((member) => member.locationId ?? "portal");
    expect(await placesOf((await begin(tenant, { source })).id)).toEqual([paris, locationId]);
    expect(await placesOf((await begin(tenant, { source, locationId })).id)).toEqual([locationId, locationId]);
    const { id: here } = await begin(tenant, { source, locationId: "portal" });
    expect(await placesOf(here)).toEqual(["portal", "portal"]);
    // A repetition goes where the run went.
    await expect.poll(async () => (await get(tenant, here)).state).toBe("finished");
    const { id: again } = await begin(tenant, { source: { runId: here, from: 1 } });
    expect(await placesOf(again)).toEqual(["portal", "portal"]);
  });
}
