import { uuidv7 } from "uuidv7";
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

  const { createTest, create, open } = createCircleMaker(() => world);

  test(`${engine.name}: a circle's tests are listed page by page in its order, selections resolved`, async () => {
    const tenant = world.createTenant();
    const login = await createTest(tenant, "log in", { method: "post" });
    for (const name of ["c", "a", "b"]) await createTest(tenant, name, { tags: ["smoke"] });
    await createTest(tenant, "unsafe", { method: "delete", tags: ["smoke"] });
    const off = await createTest(tenant, "off", { enabled: false });
    const { id } = await create(tenant, {
      members: [
        { kind: "selection", apiId: tenant.apiId, tag: "smoke" },
        { testId: login, phase: "setUp" },
        { testId: off },
        { testId: login, phase: "tearDown" },
      ],
    });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, cursor };
      const page = requireValue(await tenant.client.listTestsOfCircle({ params: { testCircleId: id }, query }), "page");
      expect(page.version).toBe(1);
      found.push(...page.items.map(({ phase, test }) => `${phase} ${test.name} ${test.checks.length}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(found).toEqual(["setUp log in 1", "main a 1", "main b 1", "main c 1", "tearDown log in 1"]);
    expect(await open(tenant, id)).toMatchObject({ leftOut: 2, order: "sequential", memberCount: 4 });
  });

  test(`${engine.name}: the inspection of an unsaved circle shows providers, undefined names and tests that do not run`, async () => {
    const tenant = world.createTenant();
    const header = (name: string, value: string, enabled = true) => ({ name, value, enabled });
    const login = await createTest(tenant, "log in", {
      method: "post",
      captures: [{ name: "token", source: "jsonPath", property: "$.token" }],
      request: { body: { kind: "json", text: '{"user":"{{user}}","at":"{{$timestamp}}"}' } } as never,
    });
    const list = await createTest(tenant, "list", {
      request: { headers: [header("x-key", "{{token}}"), header("x-off", "{{off}}", false)] } as never,
      assertions: [{ source: "jsonPath", property: "$[?@.of == '{{region}}']", comparison: "exists" }],
      data: [{ n: "1" }, { n: "2" }],
    });
    const off = await createTest(tenant, "off", { enabled: false });
    const members = [
      { testId: list },
      { testId: login, phase: "setUp" as const },
      { testId: off },
      { testId: uuidv7() },
      { kind: "selection" as const, apiId: uuidv7() },
    ];
    const body = { members, environments: { [tenant.apiId]: "staging" }, variables: [{ name: "unused" }] };
    const inspected = requireValue(await tenant.client.inspectCircle({ body }), "inspect");
    const of = (givenBy: string, name: string, position: number | null = null) => ({ name, givenBy, position });
    expect(inspected).toMatchObject({
      members: [
        {
          position: 1,
          phase: "setUp",
          memberIndex: 1,
          name: "log in",
          method: "post",
          gives: ["token"],
          executions: 1,
        },
        { position: 2, phase: "main", memberIndex: 0, name: "list", gives: [], executions: 2 },
      ],
      notRun: [{ memberIndex: 2, name: "off", reason: "disabled" }],
      absent: [3, 4],
      missing: [{ name: "user", usedBy: [1], capturedBy: null }],
    });
    expect(inspected.members[0]!.uses).toEqual([of("environment", "host"), of("nobody", "user")]);
    expect(inspected.members[1]!.uses).toEqual([
      of("environment", "host"),
      of("member", "token", 1),
      of("environment", "region"),
    ]);
  });

  test(`${engine.name}: tests of all APIs are listed by name, and found by tag`, async () => {
    const tenant = world.createTenant();
    const second = world.registerApi(tenant.organizationId);
    await createTest(tenant, "b", { tags: ["smoke"] });
    await createTest(tenant, "a", {}, second);
    await createTest(tenant, "C", { tags: ["smoke"] }, second);
    await createTest(world.createTenant(), "foreign", { tags: ["smoke"] });
    const getNames = async (query: object) => {
      const page = requireValue(await tenant.client.listAllTests({ query }), "list");
      return { names: page.items.map(({ name }) => name), cursor: page.nextCursor ?? undefined };
    };
    const first = await getNames({ limit: 2 });
    expect(first.names).toEqual(["a", "b"]);
    expect((await getNames({ limit: 2, cursor: first.cursor })).names).toEqual(["C"]);
    expect((await getNames({ tag: "smoke" })).names).toEqual(["b", "C"]);
  });
}
