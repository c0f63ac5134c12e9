import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircleMaker, type World } from "../testing/circle-maker.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
    world.environments.push({ name: "staging", baseUrl: "https://{{host}}", variables: { host: "a", region: "eu" } });
  });
  afterAll(() => world.close());

  const { createTest, create, get, open } = createCircleMaker(() => world);

  test(`${engine.name}: a secret variable is encrypted, never returned, retained when left empty, and readable by a service only`, async () => {
    const tenant = world.createTenant();
    const secret = "canary-of-a-circle";
    const members = [{ testId: await createTest(tenant, "a") }];
    const variables = [
      { name: "token", value: secret, secret: true },
      { name: "locale", value: "de" },
    ];
    const { id } = await create(tenant, { members, variables });
    const returned = [
      { name: "token", value: null, secret: true },
      { name: "locale", value: "de", secret: false },
    ];
    expect((await get(tenant, id)).variables).toEqual(returned);
    const { rows } = await sql<{
      row: string;
    }>`select c::text || (select json_agg(a)::text from test_registry.audit_records a)
      as row from test_registry.test_circles c`.execute(world.database.kysely);
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);

    const read = await get(tenant, id);
    const params = { testCircleId: id };
    requireValue(await tenant.client.changeCircle({ params, body: { ...read, name: "Renamed" } }), "change");
    const opened = { ...returned[0], value: secret };
    expect((await open(tenant, id)).variables).toEqual([opened, returned[1]]);
    const items = [{ organizationId: tenant.organizationId, testCircleId: id }];
    expect((await tenant.client.openCircles({ body: { items } })).status).toBe(404);

    const copy = await create(tenant, { ...read, copyOf: id });
    expect(copy.id).not.toBe(id);
    expect((await open(tenant, copy.id)).variables).toEqual([opened, returned[1]]);
    const stranger = world.createTenant();
    const stolen = { ...read, members: [{ testId: await createTest(stranger, "b") }], copyOf: id };
    expect(await stranger.client.createCircle({ body: stolen })).toMatchObject({
      problem: { errors: [{ path: "copyOf", message: "No such circle" }] },
    });

    const bare = [{ name: "token", value: null, secret: false }];
    expect(await tenant.client.changeCircle({ params, body: { ...read, variables: bare } })).toMatchObject({
      problem: { errors: [{ path: "variables[0].value", message: "Give it a value" }] },
    });
  });
}
