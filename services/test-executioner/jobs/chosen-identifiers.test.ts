import { beforeEach, expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBookShop, shopTests } from "../testing/book-shop.ts";
import { createCircleWorld, ends, type Members } from "../testing/circle-world.ts";

const { world, target, runCircle, start, get } = await createCircleWorld(testEngines()[0]);
const shop = createBookShop();
const { make, list, change } = shopTests;

beforeEach(() => {
  shop.open();
  target.answer(shop.answer);
});

const variables = [{ name: "bookId", value: "{{$uuid}}" }];
const runOwn = (members: Members, ways = {}) => runCircle(members, { onlyOwn: true, variables, ...ways });
const toWords = (changes: string[]) =>
  changes.map((one) => one.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, "*"));
const json = (text: string): Partial<TestInput> => ({
  request: { body: { kind: "json", text } } as never,
  captures: [],
});
/** PUT responds with 200 in this shop, whether it made or replaced something. */
const put = change("put");

test.each([
  ["its path parameter, by PUT with 200", put, "PUT /books/*"],
  ["an identifier of its body", make(json('{"id":"{{bookId}}"}')), "POST /books"],
  ["a member that it is named after", make(json('{"BookID":"{{bookId}}"}')), "POST /books"],
  ["an identifier that stands alone in a body", make(json('{"book_id": {{bookId}} }')), "POST /books"],
  [
    "an identifier of its query",
    make({ captures: [], request: { query: [{ name: "bookId", value: "{{bookId}}" }] } as never }),
    "POST /books?bookId=*",
  ],
])("what a run made with a generated identifier as %s is changed and removed", async (_, maker, sent) => {
  const { run, tenant } = await runOwn([
    ["setUp", "make", maker, "makes"],
    ["main", "change", change("patch")],
    ["tearDown", "remove", change("delete")],
  ]);
  expect(ends(run)).toEqual(["setUp make passed", "main change passed", "tearDown remove passed"]);
  expect(toWords(shop.changes)).toEqual([sent, "PATCH /books/*", "DELETE /books/*"]);
  expect(new Set(shop.changes.flatMap((one) => one.match(/[0-9a-f-]{36}/g) ?? [])).size).toBe(1);
  expect(run.captures).toMatchObject([{ name: "bookId", position: 0 }]);
  shop.changes.length = 0;
  const again = await start(tenant, { source: { runId: run.id, from: 3 } });
  expect(ends(await get(tenant, again.id)), "what the earlier run made").toEqual(["tearDown remove passed"]);
});

test("a secret variable that was generated identifies what was made, too", async () => {
  const { run } = await runOwn(
    [
      ["main", "make", put, "makes"],
      ["tearDown", "remove", change("delete")],
    ],
    {
      variables: [{ name: "bookId", value: "key-{{$guid}}", secret: true }],
    },
  );
  expect(run.verdict).toBe("passed");
  expect(toWords(shop.changes)).toEqual(["PUT /books/key-*", "DELETE /books/key-*"]);
});

const remove = ["tearDown", "remove", change("delete")] satisfies Members[number];
const refused: [string, Members, Record<string, unknown>?][] = [
  ["that nothing was made with", [["main", "list", list()], remove]],
  ["of a test that is not said to make anything", [["main", "make", put, "allowed"], remove]],
  ["whose test got no 2xx", [["main", "make", change("put", "/broken/{bookId}"), "makes"], remove]],
  ["that is a part of what was sent", [["main", "make", change("put", undefined, "a{{bookId}}"), "makes"], remove]],
  ["that was sent as a title", [["main", "make", make(json('{"title":"{{bookId}}"}')), "makes"], remove]],
  [
    "without a UUID",
    [["main", "make", make(json('{"id":"{{bookId}}"}')), "makes"], remove],
    { variables: [{ name: "bookId", value: "1{{$randomInt}}" }] },
  ],
  [
    "that is typed",
    [["main", "make", make(json('{"id":"{{bookId}}"}')), "makes"], remove],
    { variables: [{ name: "bookId", value: "1" }] },
  ],
  ["in place of which a list gave another", [["main", "make", put, "makes"], ["main", "list", list()], remove]],
  [
    "in place of which the test's data have another",
    [["main", "make", { ...put, data: [{ bookId: "1" }] }, "makes"], remove],
  ],
  [
    "that another test's data replace",
    [
      ["main", "make", put, "makes"],
      ["tearDown", "remove", change("delete", undefined, undefined, { data: [{ bookId: "1" }] })],
    ],
  ],
  ["of a member that runs at the same time", [["main", "make", put, "makes"], remove], { order: "parallel" }],
];

test.each(refused)("nothing is removed by a variable %s", async (_, members, ways) => {
  target.answer((request, response) =>
    request.url!.startsWith("/broken") ? void response.writeHead(500).end() : shop.answer(request, response),
  );
  if (members[0]![1] === "list") members[0]![2] = { ...list(), captures: [] };
  const { run } = await runOwn(members, ways);
  expect(ends(run).at(-1)).toBe("tearDown remove blocked");
  expect(shop.changes.filter((one) => one.startsWith("DELETE"))).toEqual([]);
});

test("a value that a call gives in place of a generated one identifies nothing that was made", async () => {
  const { tenant, testCircleId } = await runOwn([["main", "make", put, "makes"], remove]);
  shop.open();
  const { id } = await start(tenant, { source: { testCircleId }, variables: { bookId: "1" } });
  expect(ends(await get(tenant, id))).toEqual(["main make passed", "tearDown remove blocked"]);
  await world.settle();
});
