import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircleMaker, type Tenant, type World } from "../testing/circle-maker.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

const captures = [{ name: "bookId", source: "jsonPath" as const, property: "$.id" }];
const ofBook = testRequest.parse({ pathParameters: [{ name: "bookId", value: "{{bookId}}" }] });

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
    world.environments.push({ name: "staging", baseUrl: "https://staging.example", variables: { bookId: "1" } });
  });
  afterAll(() => world.close());

  const { createTest, create, get, open } = createCircleMaker(() => world);
  const createBookTests = async (tenant: Tenant) => ({
    make: await createTest(tenant, "make", { method: "post", path: "/books", captures }),
    list: await createTest(tenant, "list", { path: "/books", captures }),
    remove: await createTest(tenant, "remove", { method: "delete", path: "/books/{bookId}", request: ofBook }),
  });

  test(`${engine.name}: a circle keeps what its members may change, and gives it to what runs it`, async () => {
    const tenant = world.createTenant();
    const { make, remove } = await createBookTests(tenant);
    const members = [
      { testId: make, effect: "makes" as const },
      { testId: remove, phase: "tearDown" as const },
      { testId: remove, effect: "allowed" as const },
    ];
    const circle = await create(tenant, { members, onlyOwn: true });
    expect(circle).toMatchObject({ onlyOwn: true, members: [{ effect: "makes" }, {}, { effect: "allowed" }] });
    expect(circle.members[1]).not.toHaveProperty("effect");
    expect(await open(tenant, circle.id)).toMatchObject({
      onlyOwn: true,
      runs: [{ testId: make, effect: "makes" }, { testId: remove, effect: "allowed" }, { testId: remove }],
    });
    const audit = requireValue(await tenant.client.listAuditRecords({ query: { kind: "test circle" } }), "audit");
    expect(audit.items[0]!.after).toMatchObject({ onlyOwn: true, members: 3, mayChangeAnything: [remove] });
  });

  test(`${engine.name}: a change and a copy that do not name the switch keep it`, async () => {
    const tenant = world.createTenant();
    const { make } = await createBookTests(tenant);
    const members = [{ testId: make }];
    const { id } = await create(tenant, { members, onlyOwn: true });
    const change = async (ways: object) => {
      const headers = { "if-match": `"${(await get(tenant, id)).version}"` };
      const body = { name: "Books", members, ...ways };
      return requireValue(await tenant.client.changeCircle({ params: { testCircleId: id }, body, headers }), "change");
    };
    expect((await change({})).onlyOwn).toBe(true);
    expect((await create(tenant, { members, copyOf: id })).onlyOwn).toBe(true);
    expect((await create(tenant, { members, copyOf: id, onlyOwn: false })).onlyOwn).toBe(false);
    expect((await change({ onlyOwn: false })).onlyOwn).toBe(false);
    expect((await create(tenant, { members })).onlyOwn).toBe(false);
  });

  test(`${engine.name}: a test whose method makes nothing is refused at its field`, async () => {
    const tenant = world.createTenant();
    const { make, list, remove } = await createBookTests(tenant);
    const put = await createTest(tenant, "put", { method: "put", path: "/books/{bookId}", request: ofBook });
    const effect = "makes" as const;
    const members = [make, put, list, remove].map((testId) => ({ testId, effect }));
    const refused = await tenant.client.createCircle({ body: { name: "Books", members } });
    expect(!refused.ok && refused.problem).toMatchObject({
      code: "invalid_input",
      errors: [
        { path: "members[2].effect", message: "Only POST and PUT create something new; this test's method is GET" },
        { path: "members[3].effect", message: "Only POST and PUT create something new; this test's method is DELETE" },
      ],
    });
    expect((await tenant.client.createCircle({ body: { name: "Books", members: members.slice(0, 2) } })).ok).toBe(true);
  });

  test(`${engine.name}: the inspection says which members would not be sent, and why`, async () => {
    const tenant = world.createTenant();
    const { make, list, remove } = await createBookTests(tenant);
    const inspect = async (body: object) =>
      requireValue(
        await tenant.client.inspectCircle({ body: { members: [], onlyOwn: true, ...body } }),
        "inspect",
      ).members.map(
        ({ notSent }) =>
          notSent?.replace(/^Not sent: (\w+ \S+) would change (.+) that this run did not create\. /, "$1, $2: ") ??
          null,
      );
    const named = { testId: remove };
    const makes = { testId: make, effect: "makes" };
    expect(await inspect({ members: [makes, named] })).toEqual([null, null]);
    expect(await inspect({ members: [makes, { testId: list }, named] })).toEqual([
      ...[null, null],
      "DELETE /books/{bookId}, a book: bookId is captured by test 2, which creates nothing new.",
    ]);
    expect(await inspect({ members: [named], environments: { [tenant.apiId]: "staging" } })).toEqual([
      "DELETE /books/{bookId}, a book: bookId comes from the environment.",
    ]);
    expect(await inspect({ members: [named], variables: [{ name: "bookId" }] })).toEqual([
      "DELETE /books/{bookId}, a book: bookId comes from the circle's variables.",
    ]);
    const put = await createTest(tenant, "put", { method: "put", path: "/books/{bookId}", request: ofBook });
    const chooses = { testId: put, effect: "makes" as const };
    const variables = [{ name: "bookId", value: "book-{{$uuid}}" }];
    expect(await inspect({ members: [chooses, named], variables })).toEqual([null, null]);
    for (const members of [
      [named, chooses],
      [{ testId: put, effect: "allowed" }, named],
    ]) {
      expect((await inspect({ members, variables })).filter(Boolean)).toEqual([
        "DELETE /books/{bookId}, a book: bookId is generated, and no earlier test creates something with it.",
      ]);
    }
    expect(
      await inspect({ members: [chooses, named], variables: [{ name: "bookId", value: "1{{$randomInt}}" }] }),
    ).toEqual([null, "DELETE /books/{bookId}, a book: bookId comes from the circle's variables."]);
    expect(await inspect({ members: [chooses, named], variables, order: "parallel" })).toEqual([
      null,
      "DELETE /books/{bookId}, a book: bookId is generated, and no earlier test creates something with it.",
    ]);
    const ofRows = async (...ids: string[]) => {
      const data = ids.map((id) => ({ id }));
      const request = testRequest.parse({ pathParameters: [{ name: "bookId", value: "{{id}}" }] });
      const testId = await createTest(tenant, "rows", { method: "delete", path: "/books/{bookId}", request, data });
      return (await inspect({ members: [makes, { testId }] }))[1];
    };
    expect(await ofRows("{{bookId}}", "{{bookId}}")).toBeNull();
    const sameName = await createTest(tenant, "same name", {
      ...{ method: "delete", path: "/books/{bookId}", request: ofBook, data: [{ bookId: "{{bookId}}" }] },
    });
    expect(await inspect({ members: [makes, { testId: sameName }] })).toEqual([null, null]);
    expect(await ofRows("{{bookId}}", "1")).toBe("DELETE /books/{bookId}, a book: id comes from the test's data.");
    const chosenByRow = await createTest(tenant, "chosen by row", {
      ...{ method: "put", path: "/books/{bookId}", data: [{ id: "{{bookId}}" }] },
      request: testRequest.parse({ pathParameters: [{ name: "bookId", value: "{{id}}" }] }),
    });
    expect(await inspect({ members: [{ testId: chosenByRow, effect: "makes" }, named], variables })).toEqual([
      null,
      null,
    ]);
    const secrets = {
      members: [chooses, { testId: remove }],
      variables: [{ name: "bookId", value: "{{$uuid}}", secret: true }],
    };
    const { id: testCircleId } = await create(tenant, { ...secrets, onlyOwn: true });
    const unsaid = { members: [chooses, named], variables: [{ name: "bookId" }] };
    expect(await inspect({ ...unsaid, testCircleId })).toEqual([null, null]);
    expect((await inspect(unsaid)).filter(Boolean)).toHaveLength(1);
    expect((await inspect({ ...unsaid, testCircleId: uuidv7() })).filter(Boolean)).toHaveLength(1);
    expect(await inspect({ members: [makes, named], order: "parallel" })).toEqual([
      null,
      "DELETE /books/{bookId}, a book: bookId has no value.",
    ]);
    expect(await inspect({ members: [{ testId: make }, { ...named, effect: "allowed" }] })).toEqual([
      "POST /books, something: Neither its query nor its body identifies something that this run made.",
      null,
    ]);
    expect(await inspect({ members: [named], onlyOwn: false })).toEqual([null]);
  });
}
