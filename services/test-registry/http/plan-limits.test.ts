import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { freeLimits } from "../../kit/testing/plans.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const body = { name: "a test", method: "get", path: "/", request: {}, enabled: false };

for (const engine of bothEngines()) {
  test(`${engine.name}: T05: one below the limit, one of fifty concurrent creations succeeds`, async () => {
    const world = await createTestRegistryWorld(engine);
    await world.choosePlan({ name: "Free", limits: { ...freeLimits, tests: 4 } });
    const { client, apiId } = world.createTenant();
    const params = { apiId };
    for (let number = 0; number < 3; number += 1) requireValue(await client.createTest({ params, body }), "creating");
    const responses = await Promise.all(Array.from({ length: 50 }, () => client.createTest({ params, body })));
    expect(responses.filter(({ ok }) => ok)).toHaveLength(1);
    const refused = responses.find(({ ok }) => !ok);
    expect(refused).toMatchObject({ status: 402, problem: { code: "plan_limit_reached", limit: 4, used: 4 } });

    const { items } = requireValue(await client.listTests({ params }), "listing");
    await client.deleteTest({ params: { testId: items[0]!.id } });
    expect((await client.createTest({ params, body })).status).toBe(201);
    await client.deleteTestsOfApi({ params });
    for (let number = 0; number < 4; number += 1) expect((await client.createTest({ params, body })).status).toBe(201);
    expect((await client.createTest({ params, body })).status).toBe(402);
    await world.close();
  });

  test(`${engine.name}: calls with the same key count once, and refused ones do not count`, async () => {
    const world = await createTestRegistryWorld(engine);
    await world.choosePlan({ name: "Free", limits: { ...freeLimits, tests: 2 } });
    const { client, apiId } = world.createTenant();
    const params = { apiId };
    const headers = { "idempotency-key": "k1" };
    for (let number = 0; number < 3; number += 1)
      expect((await client.createTest({ params, body, headers })).status).toBe(201);
    expect((await client.createTest({ params, body: { ...body, method: "" } })).status).toBe(422);
    expect((await client.createTest({ params, body })).status).toBe(201);
    expect((await client.createTest({ params, body })).status).toBe(402);
    await world.close();
  });
}
