import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { endSilent } from "../jobs/silent-locations.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { passedResult, registerTestAgent } from "../testing/agent.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const engine of testEngines()) {
  const { world, target, get, begin, close } = await createRunWorld(await engine.open(), {
    environmentSecrets: { prefix: "ASSURANCE_SECRET_", find: () => undefined },
  });
  afterAll(close);

  /** An organization with a location, an agent there, and a test. */
  async function makeLocated(name = "Berlin") {
    const tenant = await world.createTenant(target.baseUrl);
    const { id: locationId } = requireValue(await tenant.user.createLocation({ body: { name } }), "a location");
    const agent = await registerTestAgent(world, tenant, locationId);
    const { id: testId } = await tenant.createTest();
    const start = async (source: object = { tests: [testId] }, body = {}) =>
      (await begin(tenant, { source, locationId, ...body } as never)).id;
    return { tenant, locationId, agent, testId, start };
  }
  const listMembers = async (tenant: Tenant, runId: string) => (await get(tenant, runId)).members.items;

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
    expect(member).toMatchObject({ state: "finished", verdict: "passed", statusCode: 200, locationId });
    expect(await get(tenant, runId)).toMatchObject({ state: "finished", verdict: "passed" });
    expect(target.requests.length).toBe(before);
  });

  test(`${engine.name}: G06: a result that is sent twice is recorded once`, async () => {
    const { tenant, agent, start } = await makeLocated();
    const runId = await start();
    const { items } = await agent.take();
    const result = passedResult(items[0]!);
    expect((await agent.report([result])).items[0]!.outcome).toBe("recorded");
    expect((await agent.report([{ ...result, verdict: "failed" }])).items[0]!.outcome).toBe("known");
    expect(await get(tenant, runId)).toMatchObject({ counts: { passed: 1, failed: 0 } });
  });

  test(`${engine.name}: G06: a call that was signed is accepted once, for its own body`, async () => {
    const { agent } = await makeLocated();
    const work = { version: "1.2.3", max: 1, concurrency: 1 };
    const request = await agent.request("work", work);
    const copy = request.clone();
    expect((await world.service.app.fetch(request)).status).toBe(200);
    expect((await world.service.app.fetch(copy)).status).toBe(401);
    const { headers } = await agent.request("work", work);
    const changed = { method: "POST", headers, body: JSON.stringify({ ...work, max: 2 }) };
    const forged = new Request("http://service.internal/api/v1/agent-work", changed);
    expect((await world.service.app.fetch(forged)).status).toBe(401);
    const old = await agent.request("work", work, new Date(Date.now() - 10 * 60_000));
    expect((await world.service.app.fetch(old)).status).toBe(401);
  });

  test(`${engine.name}: G06: an agent gets no work of another organization or location, and can't report it`, async () => {
    const ours = await makeLocated();
    const theirs = await makeLocated();
    const elsewhere = requireValue(await ours.tenant.user.createLocation({ body: { name: "Paris" } }), "a location");
    const atParis = await registerTestAgent(world, ours.tenant, elsewhere.id);
    const runId = await ours.start();
    expect((await theirs.agent.take()).items).toEqual([]);
    expect((await atParis.take()).items).toEqual([]);
    const { items } = await ours.agent.take();
    const forged = passedResult(items[0]!);
    for (const other of [theirs.agent, atParis]) {
      expect(await other.report([forged])).toEqual({
        items: [{ executionId: forged.executionId, outcome: "refused" }],
      });
      expect(await other.renew({ held: [forged] })).toEqual({ held: [], cancelled: [] });
      expect(await other.renew({ handedBack: [forged] })).toEqual({ held: [], cancelled: [] });
    }
    expect(await listMembers(ours.tenant, runId)).toMatchObject([{ state: "running" }]);
    expect((await ours.agent.report([{ ...forged, fence: forged.fence + 1 }])).items[0]!.outcome).toBe("refused");
    const params = { agentId: ours.agent.agentId };
    expect(requireValue(await ours.tenant.user.getAgent({ params }), "agent")).toMatchObject({
      refused: 1,
      running: 1,
    });
    expect((await ours.agent.report([forged])).items[0]!.outcome).toBe("recorded");
  });

  test(`${engine.name}: G06: a revoked agent is refused at its next call, and another one takes up what it held`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    const other = await registerTestAgent(world, tenant, locationId, { name: "other" });
    const runId = await start();
    const { items } = await agent.take();
    const params = { agentId: agent.agentId };
    expect(requireValue(await tenant.user.revokeAgent({ params }), "revoke")).toMatchObject({ state: "revoked" });
    for (const call of ["work", "results", "leases"]) expect((await agent.send(call, {})).status, call).toBe(401);
    const taken = (await other.take({ waitSeconds: 5 })).items;
    expect(taken.map(({ executionId }) => executionId)).toEqual([items[0]!.executionId]);
    await other.report(taken.map((task) => passedResult(task)));
    expect(await get(tenant, runId)).toMatchObject({ state: "finished", verdict: "passed" });
  });

  test(`${engine.name}: a code registers one agent`, async () => {
    const { tenant, agent } = await makeLocated();
    const again = await tenant.user.registerAgent({ body: agent.registered });
    expect(again).toMatchObject({ ok: false, problem: { code: "unauthenticated" } });
  });

  test(`${engine.name}: secrets are sealed for the agent, and what it returns of them is replaced`, async () => {
    const { tenant, agent, start } = await makeLocated();
    const secret = "agent-canary-5b1d";
    const input = { name: "Shop", domain: target.host, type: "bearer", settings: {}, secret };
    const credentialId = await tenant.createCredential(input);
    const reference = { kind: "environment", name: "ASSURANCE_SECRET_OWN" };
    await tenant.createCredential({
      ...input,
      name: "Own",
      type: "apiKey",
      settings: { in: "query", parameterName: "k" },
      secret: undefined,
      reference,
    });
    const authorization = { kind: "credentials", bindings: [{ schemeName: "any", credentialId }] };
    const { id } = await tenant.createTest({ request: { authorization } as never });
    const { id: inheriting } = await tenant.createTest();
    const runId = await start({ tests: [id, inheriting] });
    const { items } = await agent.take();
    expect(JSON.stringify(items)).not.toContain(secret);
    const [named, inherited] = await Promise.all(items.map((task) => agent.unseal(task)));
    expect(named!.credentials).toMatchObject([{ host: target.host, items: [{ secret }] }]);
    expect(inherited!.credentials[0]!.items).toMatchObject([{ environmentName: "ASSURANCE_SECRET_OWN" }, { secret }]);
    await agent.report(items.map((task) => passedResult(task, { body: `{"echo":"${secret}"}` })));
    for (const { executionId } of await listMembers(tenant, runId)) {
      const execution = requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution");
      expect(JSON.stringify(execution)).not.toContain(secret);
      expect(execution.attempts[0]!.response!.body).toContain("echo");
    }
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

  test(`${engine.name}: G06: results beyond the limits are refused before they are read, or at the field`, async () => {
    const { agent, start } = await makeLocated();
    await start();
    const [task] = (await agent.take()).items;
    const tooLarge = await agent.send("results", {
      items: [passedResult(task!, { body: "x".repeat(17 * 1_048_576) })],
    });
    expect(tooLarge.status).toBe(413);
    const nul = passedResult(task!, { verdict: "errored", cause: { code: "a", detail: "a\0b" } });
    expect((await agent.send("results", { items: [nul] })).status).toBe(422);
    const half = passedResult(task!, { verdict: "errored", cause: { code: "a", detail: "a\ud800b" } });
    expect((await agent.send("results", { items: [half] })).status).toBe(422);
    const many = passedResult(task!, { attempts: Array(11).fill(passedResult(task!).attempts[0]) });
    expect((await agent.send("results", { items: [many] })).status).toBe(422);
    const future = passedResult(task!, {
      finishedAt: "2999-01-01T00:00:00.000Z",
      verdict: "errored",
      cause: { code: "<b>", detail: "<script>alert(1)</script>" },
    });
    expect((await agent.report([future])).items[0]!.outcome).toBe("recorded");
  });

  test(`${engine.name}: G06: what agents send at a time is bounded before it is read`, async () => {
    const { agent } = await makeLocated();
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    /** A body that does not arrive until the test lets it. */
    const sendSlowly = async () => {
      const request = await agent.request("results", { items: [] });
      const text = await request.text();
      const body = new ReadableStream({
        async pull(controller) {
          await released;
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      const { url, headers } = request;
      return await world.service.app.fetch(
        new Request(url, { method: "POST", headers, body, duplex: "half" } as RequestInit),
      );
    };
    const sent = Array.from({ length: 12 }, sendSlowly);
    // Those beyond the limit are refused while the others wait.
    await Promise.any(sent);
    letGo();
    const responses = await Promise.all(sent);
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(422);
    expect((await agent.send("results", { items: [] })).status).toBe(422);
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
}
