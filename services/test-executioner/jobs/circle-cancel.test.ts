import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircleWorld, ends, type Members } from "../testing/circle-world.ts";
import { createRunWorld } from "../testing/run-world.ts";

for (const engine of testEngines()) {
  const { world, target, begin, get, makeCircle } = await createCircleWorld(engine);

  test.each(["sequential", "parallel"] as const)(
    `${engine.name}: %s: a cancelled circle runs its tear-down and is cancelled`,
    async (order) => {
      const tenant = await world.createTenant(target.baseUrl);
      const members: Members = [
        ["setUp", "login"],
        ["main", "a"],
        ["main", "b"],
        ["main", "c"],
        ["tearDown", "x"],
      ];
      const testCircleId = await makeCircle(tenant, members, { order, concurrency: 2 });
      const held: (() => void)[] = [];
      target.answer(async (request, response) => {
        if (request.url === "/a" || request.url === "/b") await new Promise<void>((resolve) => held.push(resolve));
        response.end("{}");
      });
      const { id } = await begin(tenant, { source: { testCircleId } });
      const running = order === "sequential" ? 1 : 2;
      await expect.poll(() => held.length).toBe(running);
      requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
      for (const letGo of held) letGo();
      await expect.poll(async () => (await get(tenant, id)).state).toBe("cancelled");
      const run = await get(tenant, id);
      const b = running === 2 ? "passed" : "cancelled";
      expect(ends(run)).toEqual([
        ...["setUp login passed", "main a passed", `main b ${b}`, "main c cancelled", "tearDown x passed"],
      ]);
      expect(run.counts.unfinished).toBe(0);
    },
  );

  test(`${engine.name}: a circle cancelled during its tear-down completes it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const members: Members = [
      ["main", "a"],
      ["tearDown", "x"],
      ["tearDown", "y"],
    ];
    const testCircleId = await makeCircle(tenant, members);
    const held: (() => void)[] = [];
    target.answer(async (request, response) => {
      if (request.url === "/x") await new Promise<void>((resolve) => held.push(resolve));
      response.end("{}");
    });
    const { id } = await begin(tenant, { source: { testCircleId } });
    await expect.poll(() => held.length).toBe(1);
    requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
    held[0]!();
    await expect.poll(async () => (await get(tenant, id)).state).toBe("cancelled");
    expect(ends(await get(tenant, id))).toEqual(["main a passed", "tearDown x passed", "tearDown y passed"]);
  });

  test(`${engine.name}: cancelled before anything has begun, a circle has nothing to tear down`, async () => {
    const idle = await createRunWorld(await engine.open(), { work: false });
    const tenant = await idle.world.createTenant(target.baseUrl);
    const members = [];
    for (const phase of ["setUp", "main", "tearDown"] as const) {
      members.push({ phase, testId: (await tenant.createTest({ name: phase })).id });
    }
    const { id: testCircleId } = await tenant.createCircle({ members });
    const { id } = await idle.begin(tenant, { source: { testCircleId } });
    requireValue(await tenant.client.cancelRun({ params: { runId: id } }), "cancel");
    expect(await idle.get(tenant, id)).toMatchObject({ state: "cancelled", counts: { cancelled: 3, unfinished: 0 } });
    await idle.close();
  });
}
