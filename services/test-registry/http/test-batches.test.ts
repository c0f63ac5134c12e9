import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { freeLimits } from "../../kit/testing/plans.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const draft = (path: string, method = "get") => ({
  name: `${method} ${path}`,
  method,
  path,
  request: {},
  checks: ["not_a_server_error" as const],
});

for (const engine of testEngines()) {
  let world: Awaited<ReturnType<typeof createTestRegistryWorld>>;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  type Switches = { onlyUntested?: boolean; keepExisting?: boolean; key?: string };
  type Tenant = ReturnType<typeof world.createTenant>;
  const create = ({ client, apiId }: Tenant, items: object[], { key, ...switches }: Switches = {}) =>
    client.createTests({
      params: { apiId },
      body: { items: items as never, ...switches },
      headers: key ? { "idempotency-key": key } : {},
    });
  const getPaths = async ({ client, apiId }: Tenant) => {
    const { items } = requireValue(await client.listTests({ params: { apiId }, query: { sort: "path" } }), "list");
    return items.map(({ method, path }) => `${method} ${path}`);
  };

  test(`${engine.name}: several tests are created by one call, in order, each recorded`, async () => {
    const tenant = world.createTenant();
    const { items } = requireValue(await create(tenant, [draft("/b"), draft("/a"), draft("/a", "put")]), "create");
    expect(items.map(({ name }) => name)).toEqual(["get /b", "get /a", "put /a"]);
    const { value } = (await tenant.client.getTest({ params: { testId: items[0]!.id } })) as { value: object };
    expect(value).toMatchObject({ path: "/b", version: 1, enabled: true, timeoutMilliseconds: 30_000 });
    const audit = await tenant.client.listAuditRecords({ query: { limit: 10 } });
    const recorded = requireValue(audit, "audit").items.map(({ resource }) => resource.id);
    expect(new Set(recorded)).toEqual(new Set(items.map(({ id }) => id)));
  });

  test(`${engine.name}: one key creates its tests once, concurrently too, and returns them again`, async () => {
    const tenant = world.createTenant();
    const send = () => create(tenant, [draft("/b"), draft("/a")], { key: "of-a-form" });
    const responses = [...(await Promise.all([send(), send()])), await send()].map((one) =>
      requireValue(one, "create"),
    );
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    expect(await getPaths(tenant)).toEqual(["get /a", "get /b"]);
    expect((await create(tenant, [draft("/c")], { key: "of-a-form" })).status).toBe(409);
  });

  test(`${engine.name}: operations that already have a test are omitted on request, with concurrent calls too`, async () => {
    const tenant = world.createTenant();
    requireValue(await create(tenant, [draft("/a")]), "create");
    const both = await Promise.all(
      ["one", "other"].map((key) =>
        create(tenant, [draft("/a"), draft("/a", "put"), draft("/b")], { onlyUntested: true, key }),
      ),
    );
    const created = both.map((response) => requireValue(response, "create").items.map(({ name }) => name));
    expect(created.toSorted((one, other) => one.length - other.length)).toEqual([[], ["put /a", "get /b"]]);
    expect(await getPaths(tenant)).toEqual(["get /a", "put /a", "get /b"]);
    requireValue(await create(tenant, [draft("/a")]), "create");
    expect(await getPaths(tenant)).toHaveLength(4);
  });

  test(`${engine.name}: a test of the same method, path and name is returned instead of another, in request order, with concurrent calls too`, async () => {
    const tenant = world.createTenant();
    const [first] = requireValue(
      await create(tenant, [draft("/a"), { ...draft("/a"), name: "Another" }]),
      "create",
    ).items;
    const wanted = [draft("/b"), draft("/a"), draft("/a", "put"), draft("/b")];
    const calls = ["one", "other"].map((key) => create(tenant, wanted, { keepExisting: true, key }));
    const [one, other] = (await Promise.all(calls)).map((response) => requireValue(response, "create").items);
    expect(one!.map(({ name }) => name)).toEqual(["get /b", "get /a", "put /a", "get /b"]);
    expect([one![1]!.id, one![3]!.id, other]).toEqual([first!.id, one![0]!.id, one]);
    expect(await getPaths(tenant)).toEqual(["get /a", "get /a", "put /a", "get /b"]);
    const again = await create(tenant, wanted, { keepExisting: true, key: "one" });
    expect(requireValue(again, "again").items).toEqual(one);
    const untested = { keepExisting: true, onlyUntested: true };
    const more = [draft("/a"), { ...draft("/a"), name: "A third" }, draft("/c")];
    expect(requireValue(await create(tenant, more, untested), "more").items.map(({ name }) => name)).toEqual([
      "get /a",
      "get /c",
    ]);
  });

  test(`${engine.name}: only those of a batch that do not exist count for the plan's limit`, async () => {
    const tenant = world.createTenant();
    await world.choosePlan({ name: "Free", limits: { ...freeLimits, tests: 3 } });
    requireValue(await create(tenant, [draft("/a"), draft("/b")]), "create");
    const batch = [draft("/a"), draft("/b"), draft("/c")];
    requireValue(await create(tenant, batch, { keepExisting: true }), "kept");
    expect(await create(tenant, [...batch, draft("/d")], { keepExisting: true })).toMatchObject({ status: 402 });
    expect(await getPaths(tenant)).toHaveLength(3);
    await world.choosePlan(null);
  });

  test(`${engine.name}: an invalid test is reported at its fields, and none is created`, async () => {
    const tenant = world.createTenant();
    const response = await create(tenant, [draft("/a"), { ...draft("/b"), checks: [] }]);
    expect(response).toMatchObject({ status: 422, problem: { errors: [{ path: "items[1].enabled" }] } });
    expect(await getPaths(tenant)).toEqual([]);
    const foreign = world.createTenant();
    expect((await create({ ...tenant, apiId: foreign.apiId }, [draft("/a")])).status).toBe(404);
  });

  test(`${engine.name}: a missing credential is looked up once and reported at each of its fields, and none is created`, async () => {
    const tenant = world.createTenant();
    const [stored, lost] = [uuidv7(), uuidv7()];
    world.loseCredential(lost);
    const sentWith = (path: string, ...ids: string[]) => {
      const bindings = ids.map((credentialId) => ({ schemeName: "key", credentialId }));
      return { ...draft(path), request: { authorization: { kind: "credentials" as const, bindings } } };
    };
    const refused = await create(tenant, [sentWith("/a", stored, lost), draft("/b"), sentWith("/c", lost)]);
    const message = "No such credential. Choose another.";
    const errors = [
      { path: "items[0].request.authorization.bindings[1].credentialId", message },
      { path: "items[2].request.authorization.bindings[0].credentialId", message },
    ];
    expect(refused).toMatchObject({ status: 422, problem: { errors } });
    expect(await getPaths(tenant)).toEqual([]);
    expect(world.askedCredentials.filter((id) => id === lost || id === stored)).toEqual([stored, lost]);
    requireValue(await create(tenant, [sentWith("/a", stored), sentWith("/b", stored)]), "create");
  });

  test(`${engine.name}: a batch beyond the plan's limit is refused as a whole`, async () => {
    const tenant = world.createTenant();
    await world.choosePlan({ name: "Free", limits: { ...freeLimits, tests: 3 } });
    requireValue(await create(tenant, [draft("/a"), draft("/b")]), "create");
    const refused = await create(tenant, [draft("/c"), draft("/d")]);
    expect(refused).toMatchObject({ status: 402, problem: { limit: 3, used: 2 } });
    expect(await getPaths(tenant)).toHaveLength(2);
    expect((await create(tenant, [draft("/c")])).status).toBe(201);
    await world.choosePlan(null);
  });
}
