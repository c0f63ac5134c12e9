import { afterAll, expect, test } from "vitest";
import { startVaultServer } from "#libraries/vault-kv/testing/vault-server.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { agentVersion, passedResult, registerTestAgent } from "../testing/agent.ts";
import { createLocatedWorld } from "../testing/located-world.ts";

for (const engine of testEngines()) {
  const { world, target, get, makeLocated, listMembers, close } = await createLocatedWorld(await engine.open());
  afterAll(close);

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

  test(`${engine.name}: G06: a revoked agent that waits for work gets none, and is refused`, async () => {
    const { tenant, locationId, agent, start } = await makeLocated();
    const other = await registerTestAgent(world, tenant, locationId, { name: "other" });
    const request = { version: agentVersion, max: 32, concurrency: 32, held: [], waitSeconds: 25 };
    const waiting = agent.send("work", request);
    const getAgent = () => tenant.user.getAgent({ params: { agentId: agent.agentId } });
    await expect.poll(async () => requireValue(await getAgent(), "the agent").lastSeenAt).not.toBeNull();
    requireValue(await tenant.user.revokeAgent({ params: { agentId: agent.agentId } }), "revoke");
    await start();
    const { status } = await waiting;
    expect(status).toBe(401);
    expect((await other.take({ waitSeconds: 5 })).items).toHaveLength(1);
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

  test(`${engine.name}: an agent that reads Vault itself gets references, and another one sealed values`, async () => {
    const vault = await startVaultServer();
    try {
      vault.allow("hvs.portal");
      vault.put("secret/data/shop/live", { key: "vault-canary-71" });
      const { tenant, agent, locationId, start } = await makeLocated();
      await tenant.connectVault({ address: vault.address, authentication: "token", secret: "hvs.portal" });
      const reference = { kind: "vault", path: "shop/live", key: "key" };
      const input = { name: "Shop", domain: target.host, type: "bearer", settings: {}, reference };
      const credentialId = await tenant.createCredential(input);
      const authorization = { kind: "credentials", bindings: [{ schemeName: "any", credentialId }] };
      const headers = [{ name: "X-Pin", value: "{{pin}}" }];
      const { id: testId } = await tenant.createTest({ request: { authorization, headers } as never });
      const variables = [{ name: "pin", secret: true, reference }];
      const circle = await tenant.createCircle({ members: [{ testId }], variables, locationId } as never);
      const source = { testCircleId: circle.id };
      await start(source);
      const own = await agent.unseal((await agent.take({ readsVault: true })).items[0]!);
      expect(vault.requests).toEqual([]);
      const { kind: _, ...location } = reference;
      expect(own.secretReferences).toEqual([{ name: "pin", vault: location }]);
      expect(own.credentials).toMatchObject([{ items: [{ secret: "unread", vault: location }] }]);
      expect(JSON.stringify(own)).not.toContain("vault-canary-71");
      const sealed = await agent.unseal((await agent.take()).items[0]!);
      expect(sealed.captures).toMatchObject([{ name: "pin", value: "vault-canary-71" }]);
      expect(sealed.credentials).toMatchObject([{ items: [{ secret: "vault-canary-71" }] }]);
    } finally {
      await vault.close();
    }
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
}
