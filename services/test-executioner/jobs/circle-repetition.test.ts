import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { asks, createCircleWorld, gives, type Members } from "../testing/circle-world.ts";
import type { Tenant } from "../testing/run-world.ts";

for (const engine of testEngines()) {
  const { world, target, start, runCircle, failing } = await createCircleWorld(engine);

  test(`${engine.name}: failures of a circle run again between set-up and tear-down, and still belong to the circle`, async () => {
    failing("/b");
    const members: Members = [
      ["setUp", "login", gives("token")],
      ["main", "a"],
      ["main", "b", asks("token")],
      ["tearDown", "x"],
    ];
    const { tenant, run, testCircleId } = await runCircle(members, { order: "parallel", concurrency: 2 });
    failing();
    const before = target.requests.length;
    const again = await start(tenant, { source: { runId: run.id, only: "failed" } });
    expect(again).toMatchObject({
      source: { kind: "rerun", runId: run.id, circle: { testCircleId, testCircleName: "a circle" } },
      ...{ trigger: "api", verdict: "passed", order: "parallel", concurrency: 2 },
    });
    expect(target.requests.slice(before).map(({ url }) => url)).toEqual(["/login", "/b?token=t1", "/x"]);
    expect(
      await tenant.client.startRun({ query: {}, body: { source: { runId: again.id, only: "failed" } } }),
    ).toMatchObject({ status: 422, problem: { detail: "Nothing failed in this run." } });
  });

  test(`${engine.name}: tests to run again are counted by method beforehand`, async () => {
    failing("/b", "/c");
    const { tenant, run } = await runCircle([
      ["setUp", "login", { method: "post" }],
      ["main", "a", { method: "post" }],
      ["main", "b", { method: "delete" }],
      ["main", "c"],
    ]);
    const describe = async (client: Tenant["client"]) =>
      await client.describeRepetition({ params: { runId: run.id }, query: {} });
    expect(requireValue(await describe(tenant.client), "ask")).toEqual({
      executions: 3,
      methods: [
        { method: "delete", safe: false, executions: 1 },
        { method: "get", safe: true, executions: 1 },
        { method: "post", safe: false, executions: 1 },
      ],
    });
    const stranger = await world.createTenant(target.baseUrl);
    expect((await describe(stranger.client)).status).toBe(404);
  });

  test(`${engine.name}: a run continues from one member with the captures made before it`, async () => {
    failing("/c");
    const { tenant, run } = await runCircle([
      ["main", "a", gives("token")],
      ["main", "b"],
      ["main", "c", asks("token")],
      ["main", "d"],
      ["tearDown", "x", asks("token")],
    ]);
    failing();
    const before = target.requests.length;
    const again = await start(tenant, { source: { runId: run.id, from: 3 } });
    expect(again).toMatchObject({ source: { kind: "rerun", runId: run.id, from: 3 }, verdict: "passed" });
    expect(target.requests.slice(before).map(({ url }) => url)).toEqual(["/c?token=t1", "/d", "/x?token=t1"]);
    const requested = { params: { runId: run.id }, query: { from: 4 } };
    expect(requireValue(await tenant.client.describeRepetition(requested), "ask")).toEqual({
      executions: 2,
      methods: [{ method: "get", safe: true, executions: 2 }],
    });
    expect(await tenant.client.startRun({ query: {}, body: { source: { runId: run.id, from: 9 } } })).toMatchObject({
      problem: { errors: [{ path: "source.from", message: "The run has no member at this position" }] },
    });
  });

  test(`${engine.name}: whole runs count for their circle, partial repetitions do not, and all are deleted with the circle`, async () => {
    failing("/main");
    const { tenant, testCircleId, run } = await runCircle([
      ["setUp", "login"],
      ["main", "main"],
    ]);
    await start(tenant, { source: { runId: run.id, only: "failed" } });
    const { organizationId } = tenant;
    const count = async () => {
      const client = world.connect({ token: await world.identities.serviceToken(organizationId) });
      const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
      const body = { subjectId: testCircleId, starts: [from!], until: until! };
      return requireValue(await client.countExecutions({ body }), "count").total;
    };
    expect(await count()).toMatchObject({ executions: 2, passed: 1, failed: 1, available: 1, unavailable: 1 });
    const operator = world.connect({ token: world.identities.tokenFor({ scopes: ["system:manage"] }).token });
    const recounted = requireValue(await operator.recount({ body: { organizationId } }), "recount");
    expect(recounted).toMatchObject({ hours: 0, runs: 0 });
    await world.testRegistry({ token: tenant.token }).deleteCircle({ params: { testCircleId } });
    while ((await count()).executions > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}
