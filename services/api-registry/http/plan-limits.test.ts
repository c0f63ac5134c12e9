import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { planWith } from "../../kit/testing/plans.ts";
import { startRegistry } from "../testing/registry.ts";

const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} });
const body = { source: { document } };

for (const engine of bothEngines()) {
  test(`${engine.name}: T05: one below the limit, one of fifty concurrent registrations succeeds`, async () => {
    const database = await engine.open();
    const { client, service } = await startRegistry(database, { planStatus: planWith({ apis: 3 }) });
    for (let number = 0; number < 2; number += 1) requireValue(await client.registerApi({ body }), "registering");
    const responses = await Promise.all(Array.from({ length: 50 }, () => client.registerApi({ body })));
    const created = responses.filter(({ ok }) => ok);
    // Only so many documents are read at once; a caller who must retry was not judged by the plan.
    const refused = responses.filter(({ status }) => status === 402);
    expect([created.length, refused.length > 0]).toEqual([1, true]);
    expect(refused[0]).toMatchObject({ problem: { code: "plan_limit_reached", limit: 3, used: 3 } });
    expect(!refused[0]!.ok && refused[0]!.problem.detail).toContain("The Free plan allows 3 APIs, and there are 3.");
    expect(requireValue(await client.listApis(), "listing").items).toHaveLength(3);

    const [first] = requireValue(await client.listApis(), "listing").items;
    await client.deleteApi({ params: { apiId: first!.id } });
    expect((await client.registerApi({ body })).status).toBe(201);
    expect((await client.registerApi({ body })).status).toBe(402);
    await service.stop();
    await database.close();
  });

  test(`${engine.name}: the newest version of a plan counts, in any order of arrival`, async () => {
    const database = await engine.open();
    const { client, service, connect, identities, token } = await startRegistry(database, {
      planStatus: planWith({ apis: 1 }, 4),
    });
    requireValue(await client.registerApi({ body }), "registering");
    const { organizationId } = await identities.authenticate(token);
    const portal = connect({ token: await identities.serviceToken(organizationId) });
    const notify = async (version: number, apis: number | null) => {
      const event = { type: "plan.changed" as const, organizationId, payload: planWith({ apis }, version) };
      const at = { id: crypto.randomUUID(), occurredAt: new Date().toISOString() };
      expect((await portal.receiveEvent({ body: { ...at, ...event } })).status).toBe(204);
    };
    const register = async () => (await client.registerApi({ body })).status;
    expect(await register()).toBe(402);
    await notify(6, 2);
    await notify(5, 100);
    expect([await register(), await register()]).toEqual([201, 402]);
    await notify(7, null);
    expect(await register()).toBe(201);
    await service.stop();
    await database.close();
  });
}
