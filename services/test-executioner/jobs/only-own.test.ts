import { beforeEach, expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBookShop, shopTests } from "../testing/book-shop.ts";
import { createCircleWorld, ends, type Members } from "../testing/circle-world.ts";

const { world, target, runCircle, makeCircle, start, get } = await createCircleWorld(testEngines()[0]);
const shop = createBookShop();
const { make, list, change } = shopTests;

beforeEach(() => {
  shop.open();
  target.answer(shop.answer);
});

/** A circle that changes only what its run made. */
const runOwn = (members: Members, ways = {}) => runCircle(members, { onlyOwn: true, ...ways });
type Tenant = Awaited<ReturnType<typeof world.createTenant>>;
async function createEnvironment(
  { apiId, token }: Tenant,
  name: string,
  rest: { baseUrl: string; variables: Record<string, string> },
) {
  const items = [{ name, ...rest }];
  requireValue(
    await world.apiRegistry({ token }).replaceEnvironments({ params: { apiId }, body: { items } }),
    "environments",
  );
}
const reasons = ({ members }: Awaited<ReturnType<typeof runOwn>>["run"]) => members.items.map(({ reason }) => reason);

test("a resource that the run made is changed and removed", async () => {
  const { run } = await runOwn([
    ["setUp", "make", make(), "makes"],
    ["main", "change", change("put")],
    ["main", "archive", change("post", "/books/{bookId}/archive")],
    ["tearDown", "remove", change("delete")],
  ]);
  expect(run).toMatchObject({ verdict: "passed", onlyOwn: true });
  expect(shop.changes).toEqual(["POST /books", "PUT /books/3", "POST /books/3/archive", "DELETE /books/3"]);
  expect(shop.listBooks()).toEqual([1, 2]);
});

const foreign: [string, Members, Record<string, unknown>?][] = [
  ["a typed id", [["main", "remove", change("delete", "/books/{bookId}", "1")]]],
  [
    "an id in the data of the test",
    [
      ["main", "make", make(), "makes"],
      ["main", "remove", change("delete", undefined, undefined, { data: [{ bookId: "1" }] })],
    ],
  ],
  ["a variable of the circle", [["main", "remove", change("delete")]], { variables: [{ name: "bookId", value: "1" }] }],
  [
    "a secret of the circle",
    [["main", "remove", change("delete")]],
    { variables: [{ name: "bookId", value: "1", secret: true }] },
  ],
  [
    "an id from a list",
    [
      ["main", "list", list()],
      ["main", "remove", change("delete")],
    ],
  ],
  [
    "an id from a list of the same name as what was made",
    [
      ["main", "make", make(), "makes"],
      ["main", "list", list()],
      ["main", "remove", change("delete")],
    ],
  ],
  [
    "an id that a 409 names",
    [
      ["main", "taken", make({ path: "/books?taken" }), "makes"],
      ["main", "remove", change("delete")],
    ],
  ],
  [
    "an id that a 2xx names, of a test that makes nothing",
    [
      ["main", "make", make(), "allowed"],
      ["main", "remove", change("delete")],
    ],
  ],
  [
    "a text around what was made",
    [
      ["main", "make", make(), "makes"],
      ["main", "remove", change("delete", undefined, "{{bookId}}1")],
    ],
  ],
  [
    "a PUT that replaced what was there",
    [
      [
        "main",
        "make",
        change(
          "put",
          undefined,
          "1",
          make({
            method: "put",
            path: "/books/{bookId}",
            request: { pathParameters: [{ name: "bookId", value: "1" }] } as never,
          }),
        ),
        "makes",
      ],
      ["main", "remove", change("delete")],
    ],
  ],
];

test.each(foreign)("%s is not removed", async (_, members, ways) => {
  const { run } = await runOwn(members, ways);
  expect(run.members.items.at(-1)).toMatchObject({ verdict: "blocked", statusCode: null });
  expect(run).toMatchObject({ verdict: "blocked", counts: { blocked: 1 } });
  expect(reasons(run).at(-1)).toMatch(
    /^Not sent: DELETE \/books\/\{bookId\} would change a book that this run did not create\. /,
  );
  expect(shop.changes.filter((one) => !/^(POST|PUT) /.test(one))).toEqual([]);
  expect(shop.listBooks()).toEqual(expect.arrayContaining([1, 2]));
});

test("a variable of the environment is named, and its value is not", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  await createEnvironment(tenant, "staging", { baseUrl: target.baseUrl, variables: { bookId: "1" } });
  const testCircleId = await makeCircle(tenant, [["main", "remove", change("delete")]], {
    onlyOwn: true,
    environments: { [tenant.apiId]: "staging" },
  });
  const { id } = await start(tenant, { source: { testCircleId } });
  expect(reasons(await get(tenant, id))).toEqual([
    "Not sent: DELETE /books/{bookId} would change a book that this run did not create. bookId comes from the environment.",
  ]);
  expect(shop.changes).toEqual([]);
});

test("G09: nothing that changes all of a list or a setting is sent, unless a user allowed that test", async () => {
  const body = { kind: "json", text: '{"maintenance":true}' } as const;
  const wipe: Partial<TestInput> = { method: "delete", path: "/books", checks: [] };
  const settings: Partial<TestInput> = { method: "put", path: "/settings", request: { body } as never, checks: [] };
  const { run } = await runOwn([
    ["main", "wipe", wipe],
    ["main", "settings", settings],
    ["main", "settings again", { ...settings, path: "/settings/again" }, "allowed"],
    ["main", "patch", { ...settings, method: "patch", path: "/books" }],
  ]);
  expect(ends(run)).toEqual([
    "main wipe blocked",
    "main settings blocked",
    "main settings again passed",
    "main patch blocked",
  ]);
  expect(shop.changes).toEqual(["PUT /settings/again"]);
});

test("members that a selection brings may change only what the run made", async () => {
  const tenant = await world.createTenant(target.baseUrl);
  await tenant.createTest({ name: "remove", ...change("delete", undefined, "1") });
  const members = [{ kind: "selection" as const, apiId: tenant.apiId, include: "all" as const }];
  const { id: testCircleId } = await tenant.createCircle({ members, onlyOwn: true });
  const { id } = await start(tenant, { source: { testCircleId } });
  expect(ends(await get(tenant, id))).toEqual(["main remove blocked"]);
  expect(shop.changes).toEqual([]);
});

test("a redirect that keeps its method may not lead to another resource", async () => {
  const { run } = await runOwn([
    ["setUp", "make", make(), "makes"],
    ["main", "moved", change("delete", "/moved/{bookId}")],
    ["main", "slash", change("delete", "/slash/{bookId}")],
  ]);
  expect(ends(run)).toEqual(["setUp make passed", "main moved blocked", "main slash passed"]);
  expect(reasons(run)[1]).toContain("The server redirects DELETE to another address");
  expect(shop.changes).toEqual(["POST /books", "DELETE /moved/3", "DELETE /slash/3", "DELETE /slash/3/"]);
});

test("in a parallel order only what set-up made may be changed", async () => {
  const own = await runOwn(
    [
      ["setUp", "make", make(), "makes"],
      ["main", "remove", change("delete")],
    ],
    { order: "parallel" },
  );
  expect(own.run.verdict).toBe("passed");
  shop.open();
  const { run } = await runOwn(
    [
      ["main", "make", make(), "makes"],
      ["main", "remove", change("delete", undefined, "1")],
      ["tearDown", "remove later", change("delete", undefined, "{{bookId}}")],
    ],
    { order: "parallel", variables: [{ name: "bookId", value: "1" }] },
  );
  expect(ends(run).slice(1)).toEqual(["main remove blocked", "tearDown remove later blocked"]);
  expect(shop.changes).toEqual(["POST /books"]);
});

test("a run that continues may remove what the earlier one made, unless the call gives another value or server", async () => {
  const members: Members = [
    ["main", "make", make(), "makes"],
    ["main", "remove", change("delete")],
    ["main", "settings", { method: "put", path: "/settings", checks: [] }],
  ];
  const { run, tenant } = await runOwn(members);
  shop.changes.length = 0;
  const again = await start(tenant, { source: { runId: run.id, from: 2 } });
  expect(ends(await get(tenant, again.id))).toEqual(["main remove passed", "main settings blocked"]);
  const onceMore = await start(tenant, { source: { runId: again.id, from: 1 } });
  expect(ends(await get(tenant, onceMore.id))).toEqual(["main remove passed", "main settings blocked"]);
  expect(shop.changes).toEqual(["DELETE /books/3", "DELETE /books/3"]);
  shop.changes.length = 0;
  const given = await start(tenant, { source: { runId: run.id, from: 2 }, variables: { bookId: "1" } });
  expect(ends(await get(tenant, given.id))[0]).toBe("main remove blocked");
  await createEnvironment(tenant, "live", { baseUrl: target.baseUrl, variables: {} });
  const elsewhere = await start(tenant, {
    source: { runId: run.id, from: 2 },
    environments: { [tenant.apiId]: "live" },
  });
  expect(ends(await get(tenant, elsewhere.id))[0]).toBe("main remove blocked");
  const failed = await start(tenant, { source: { runId: run.id, only: "failed" } });
  expect(ends(await get(tenant, failed.id))).toEqual(["main settings blocked"]);
  expect(shop.changes).toEqual([]);
});

test("a tear-down of what was never created is skipped, in every circle", async () => {
  for (const onlyOwn of [true, false]) {
    const { run, tenant } = await runCircle(
      [
        ["setUp", "make", make({ path: "/books?broken" }), "makes"],
        ["main", "change", change("put")],
        ["tearDown", "remove", change("delete")],
      ],
      { onlyOwn },
    );
    expect(ends(run)).toEqual(["setUp make failed", "main change skipped", "tearDown remove skipped"]);
    expect(reasons(run)[2]).toMatch(
      /^Nothing to remove: \{\{bookId\}\} was never created\. Member 1, "make", failed: /,
    );
    const { executionId } = run.members.items[2]!;
    expect(requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution")).toMatchObject({
      ...{ verdict: "skipped", attempts: [] },
      cause: { code: "nothing_to_remove" },
    });
  }
});

test("a tear-down that lacks a value which nothing captures, or whose resource was made, ends errored", async () => {
  const { run } = await runCircle([
    ["setUp", "make", make({ captures: [{ name: "bookId", source: "jsonPath", property: "$.missing" }] })],
    ["tearDown", "remove", change("delete")],
    ["tearDown", "remove another", change("delete", undefined, "{{other}}")],
  ]);
  expect(ends(run).slice(1)).toEqual(["tearDown remove errored", "tearDown remove another errored"]);
});

test("a circle without the switch changes what it always did", async () => {
  const { run } = await runCircle([["main", "remove", change("delete", undefined, "1")]]);
  expect(run).toMatchObject({ verdict: "passed", onlyOwn: false });
  expect(shop.changes).toEqual(["DELETE /books/1"]);
});

test("what a Location names is removed, by a pattern that takes its last segment", async () => {
  target.answer((request, response) => {
    if (request.method === "POST") response.setHeader("location", `${target.baseUrl}/books/3/?new=1`);
    return shop.answer(request, response);
  });
  const captures: TestInput["captures"] = [
    { name: "bookId", source: "header", property: "Location", pattern: "([^/?#]+)/?(?:[?#].*)?$" },
  ];
  const { run } = await runOwn([
    ["setUp", "make", make({ captures }), "makes"],
    ["tearDown", "remove", change("delete")],
  ]);
  expect(run.verdict).toBe("passed");
  expect(shop.changes).toEqual(["POST /books", "DELETE /books/3"]);
});
