import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
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

  const { createTest, create, get } = createCircleMaker(() => world);

  test(`${engine.name}: a created circle is returned completely, with its APIs and its version as ETag`, async () => {
    const tenant = world.createTenant();
    const second = world.registerApi(tenant.organizationId);
    const members = [
      { testId: await createTest(tenant, "log in"), phase: "setUp" as const },
      { kind: "selection" as const, apiId: second, tag: "smoke" },
    ];
    const body = { name: " Shop ", members, environments: { [second]: "staging" }, order: "parallel" as const };
    const created = await tenant.client.createCircle({ body });
    expect(created.ok && created.response.headers.get("etag")).toBe('"1"');
    const circle = requireValue(created, "create");
    expect(circle).toMatchObject({
      name: "Shop",
      description: "",
      order: "parallel",
      concurrency: 10,
      stopOnFailure: false,
      version: 1,
      members: [
        { kind: "test", phase: "setUp" },
        { kind: "selection", apiId: second, tag: "smoke", include: "safe", phase: "main" },
      ],
      environments: { [second]: "staging" },
      apiIds: [tenant.apiId, second].sort(),
    });
    expect(await get(tenant, circle.id)).toEqual(circle);
  });

  test(`${engine.name}: circles of a location are those that are sent from it`, async () => {
    const tenant = world.createTenant();
    const members = [{ testId: await createTest(tenant, "log in") }];
    const locationId = uuidv7();
    const { id } = await create(tenant, { name: "From there", members, locationId });
    await create(tenant, { name: "From here", members });
    const list = async (query: object) => requireValue(await tenant.client.listCircles({ query }), "list");
    const found = await list({ locationId });
    expect(found.items.map((circle) => circle.id)).toEqual([id]);
    expect(found.total).toBe(1);
    expect((await list({ locationId: uuidv7() })).items).toEqual([]);
  });

  test(`${engine.name}: a new circle in order has a cookie jar, and a change that does not name it keeps it`, async () => {
    const tenant = world.createTenant();
    const members = [{ testId: await createTest(tenant, "log in") }];
    const cookiesOf = async (ways: object) => (await create(tenant, { members, ...ways })).cookies;
    expect(await cookiesOf({})).toBe(true);
    expect(await cookiesOf({ order: "parallel" })).toBe(false);
    const circle = await create(tenant, { members, cookies: false });
    const change = async (ways: object) =>
      requireValue(
        await tenant.client.changeCircle({
          params: { testCircleId: circle.id },
          body: { name: "Shop", members, ...ways },
          headers: { "if-match": `"${(await get(tenant, circle.id)).version}"` },
        }),
        "change",
      ).cookies;
    expect(await change({})).toBe(false);
    expect(await change({ cookies: true })).toBe(true);
    expect(await change({})).toBe(true);
  });

  test(`${engine.name}: circles of several organizations are opened in one call, each with its own tests`, async () => {
    const tenants = [world.createTenant(), world.createTenant()];
    const [first, second] = await Promise.all(
      tenants.map(async (tenant) => {
        const tests = [await createTest(tenant, "b"), await createTest(tenant, "a")];
        await createTest(tenant, "not a member");
        const { id } = await create(tenant, { members: tests.map((testId) => ({ testId })) });
        return { organizationId: tenant.organizationId, testCircleId: id, tests };
      }),
    );
    const requested = [second!, { ...second!, organizationId: first!.organizationId }, first!];
    const items = requested.map(({ organizationId, testCircleId }) => ({ organizationId, testCircleId }));
    const token = await world.identities.serviceToken(noOrganization);
    const opened = requireValue(await world.connect({ token }).openCircles({ body: { items } }), "open").items;
    const getTests = (index: number) => opened[index]?.tests?.map(({ id }) => id);
    expect([getTests(0), opened[1], getTests(2)]).toEqual([second!.tests, null, first!.tests]);
  });

  test(`${engine.name}: an invalid value is refused at its field`, async () => {
    const tenant = world.createTenant();
    const other = world.createTenant();
    const own = await createTest(tenant, "a");
    const foreign = await createTest(other, "b");
    const getErrors = async (body: object) => {
      const response = await tenant.client.createCircle({ body: { name: "x", members: [{ testId: own }], ...body } });
      return response.ok ? [] : response.problem.errors;
    };
    expect(await getErrors({ name: " " })).toEqual([{ path: "name", message: "Give the circle a name" }]);
    expect(await getErrors({ members: [] })).toEqual([{ path: "members", message: "Choose at least one test" }]);
    expect(await getErrors({ members: [{ testId: own }, { testId: foreign }, { testId: uuidv7() }] })).toEqual([
      { path: "members[1].testId", message: "No such test" },
      { path: "members[2].testId", message: "No such test" },
    ]);
    expect(await getErrors({ members: [{ kind: "selection", apiId: other.apiId }] })).toEqual([
      { path: "members[0].apiId", message: "No such API" },
    ]);
    expect(await getErrors({ environments: { [tenant.apiId]: "live" } })).toEqual([
      { path: `environments.${tenant.apiId}`, message: "This API has no such environment" },
    ]);
    expect(
      await getErrors({
        variables: [
          { name: "a", value: "1" },
          { name: "a", value: "", secret: true },
        ],
      }),
    ).toEqual([
      { path: "variables[1].name", message: "Another variable is named a" },
      { path: "variables[1].value", message: "Give it a value" },
    ]);
    expect((await getErrors({ concurrency: 101 }))?.[0]?.path).toBe("concurrency");
  });

  test(`${engine.name}: another organization's circle looks absent to every call`, async () => {
    const owner = world.createTenant();
    const { id } = await create(owner, { members: [{ testId: await createTest(owner, "a") }] });
    const stranger = world.createTenant();
    const { client } = stranger;
    const body = { name: "taken", members: [{ testId: await createTest(stranger, "b") }] };
    for (const testCircleId of [id, uuidv7()]) {
      const params = { testCircleId };
      const responses = await Promise.all([
        client.getCircle({ params }),
        client.changeCircle({ params, body }),
        client.deleteCircle({ params }),
        client.listTestsOfCircle({ params, query: {} }),
      ]);
      for (const response of responses) {
        expect(response).toMatchObject({ status: 404, problem: { detail: "No such test circle." } });
      }
    }
    expect(await client.listCircles({ query: { apiId: owner.apiId } })).toMatchObject({ status: 404 });
    expect((await get(owner, id)).name).toBe("Daily");
  });

  test(`${engine.name}: of two concurrent changes or deletions of one version the second is refused`, async () => {
    const tenant = world.createTenant();
    const { id, ...read } = await create(tenant, { members: [{ testId: await createTest(tenant, "a") }] });
    const params = { testCircleId: id };
    const headers = { "if-match": '"1"' };
    const change = (name: string) => tenant.client.changeCircle({ params, body: { ...read, name }, headers });
    const responses = await Promise.all([change("one"), change("two")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await tenant.client.deleteCircle({ params, headers })).status).toBe(412);
    expect((await tenant.client.deleteCircle({ params, headers: { "if-match": '"2"' } })).status).toBe(204);
    expect((await tenant.client.getCircle({ params })).status).toBe(404);
  });

  test(`${engine.name}: one key creates one circle, concurrently too`, async () => {
    const tenant = world.createTenant();
    const members = [{ testId: await createTest(tenant, "a") }];
    const make = (name: string) =>
      tenant.client.createCircle({ body: { name, members }, headers: { "idempotency-key": "of-a-form" } });
    const responses = [...(await Promise.all([make("once"), make("once")])), await make("once")];
    expect(new Set(responses.map((response) => requireValue(response, "create").id)).size).toBe(1);
    expect((await make("twice")).status).toBe(409);
    expect(await tenant.client.listCircles({ query: {} })).toMatchObject({ value: { total: 1 } });
  });

  test(`${engine.name}: circles are listed by name page by page, and found by text, API and test`, async () => {
    const tenant = world.createTenant();
    const second = world.registerApi(tenant.organizationId);
    const [mine, others] = [await createTest(tenant, "a"), await createTest(tenant, "b", {}, second)];
    for (const name of ["b", "A", "c", "a"]) await create(tenant, { name, members: [{ testId: mine }] });
    const across = await create(tenant, {
      name: "both",
      description: "100 % of it",
      members: [{ testId: others }, { kind: "selection", apiId: tenant.apiId }],
    });
    const getNames = async (query: object) =>
      requireValue(await tenant.client.listCircles({ query }), "list").items.map(({ name }) => name);
    const first = requireValue(await tenant.client.listCircles({ query: { limit: 3 } }), "list");
    expect(first).toMatchObject({ total: 5, items: [{ name: "A" }, { name: "a" }, { name: "b" }] });
    expect(await getNames({ limit: 3, cursor: first.nextCursor! })).toEqual(["both", "c"]);
    expect(await getNames({ query: "0 %" })).toEqual(["both"]);
    expect(await getNames({ apiId: second })).toEqual(["both"]);
    expect(await getNames({ testId: mine })).toEqual(["A", "a", "b", "c"]);
    const [listed] = requireValue(await tenant.client.listCircles({ query: { testId: others } }), "list").items;
    expect(listed).toMatchObject({ id: across.id, memberCount: 2, apiIds: [tenant.apiId, second].sort() });
    expect((await tenant.client.listCircles({ query: { cursor: "bm8" } })).status).toBe(400);
  });

  test(`${engine.name}: a deleted test is removed from its circles, whose versions are incremented`, async () => {
    const tenant = world.createTenant();
    const [a, b] = [await createTest(tenant, "a"), await createTest(tenant, "b")];
    const { id } = await create(tenant, { members: [{ testId: a }, { testId: b }, { testId: a }] });
    const untouched = await create(tenant, { members: [{ testId: b }] });
    await tenant.client.deleteTest({ params: { testId: a } });
    expect(await get(tenant, id)).toMatchObject({ version: 2, members: [{ testId: b }] });
    expect((await get(tenant, untouched.id)).version).toBe(1);
    const audit = requireValue(await tenant.client.listAuditRecords({ query: { kind: "test circle" } }), "audit");
    const ofCircle = audit.items.filter(({ resource, operation }) => resource.id === id && operation === "deleteTest");
    expect(ofCircle).toMatchObject([
      { before: { name: "Daily", members: 3, version: 1 }, after: { members: 1, version: 2, testsDeleted: [a] } },
    ]);
  });

  test(`${engine.name}: deleting an API removes its tests and its selections from circles; deleting its tests leaves selections`, async () => {
    const tenant = world.createTenant();
    const apiId = world.registerApi(tenant.organizationId);
    const [a, b] = [await createTest(tenant, "a"), await createTest(tenant, "b", {}, apiId)];
    const selection = { kind: "selection" as const, apiId };
    const { id } = await create(tenant, { members: [{ testId: a }, { testId: b }, selection] });
    await tenant.client.deleteTestsOfApi({ params: { apiId } });
    expect((await get(tenant, id)).members).toMatchObject([{ testId: a }, selection]);
    const token = await world.identities.serviceToken(tenant.organizationId);
    const deleted = { id: uuidv7(), organizationId: tenant.organizationId, occurredAt: new Date().toISOString() };
    const body = { ...deleted, type: "api.deleted" as const, payload: { apiId } };
    for (let time = 0; time < 2; time += 1) await world.connect({ token }).receiveEvent({ body });
    expect(await get(tenant, id)).toMatchObject({ version: 3, members: [{ testId: a }], apiIds: [tenant.apiId] });
  });

  test(`${engine.name}: concurrent saving of circles and deletion of their tests leaves no member of a deleted test`, async () => {
    const tenant = world.createTenant();
    const tests = await Promise.all(Array.from({ length: 8 }, (_, index) => createTest(tenant, `t${index}`)));
    const { id, ...read } = await create(tenant, { members: tests.map((testId) => ({ testId })) });
    const params = { testCircleId: id };
    await Promise.all(
      tests.flatMap((testId, index) => [
        tenant.client.deleteTest({ params: { testId } }),
        tenant.client.changeCircle({
          params,
          body: { ...read, members: tests.slice(index).map((one) => ({ testId: one })) },
        }),
      ]),
    );
    expect((await get(tenant, id)).members).toEqual([]);
  });

  test(`${engine.name}: circles are listed by their ids, and none of another organization`, async () => {
    const [tenant, other] = [world.createTenant(), world.createTenant()];
    const make = async (of: typeof tenant, name: string) =>
      await create(of, { name, members: [{ testId: await createTest(of, name) }] });
    const [first, second, unlisted] = await Promise.all(["One", "Two", "Three"].map((name) => make(tenant, name)));
    const foreign = await make(other, "Foreign");
    const list = async (...ids: string[]) => {
      const page = requireValue(await tenant.client.listCircles({ query: { ids: ids.join(",") } }), "list");
      return page.items.map(({ name }) => name).sort();
    };
    expect(await list(first!.id, second!.id, foreign.id, uuidv7())).toEqual(["One", "Two"]);
    expect(await list(unlisted!.id)).toEqual(["Three"]);
    const tooMany = await tenant.client.listCircles({ query: { ids: Array.from({ length: 201 }, uuidv7).join(",") } });
    expect(tooMany.ok).toBe(false);
    expect((await tenant.client.listCircles({ query: { ids: "1" } })).ok).toBe(false);
  });
}
