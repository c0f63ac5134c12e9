import { beforeEach, expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBookShop, shopTests } from "../testing/book-shop.ts";
import { asks, createCircleWorld, ends } from "../testing/circle-world.ts";

const { target, runCircle } = await createCircleWorld(testEngines()[0]);
const shop = createBookShop();
const { make, change } = shopTests;
const capture = (name: string, property: string): TestInput["captures"][number] => ({
  ...{ name, source: "jsonPath", property, optional: true },
});

beforeEach(() => {
  shop.open();
  target.answer(shop.answer);
});

test("rows use what was captured, each its own; one whose capture found nothing is skipped alone", async () => {
  const captures = ["bookId", "second", "third"].map((name, index) => capture(name, `$.books[${index}]`));
  // The first has the name that its row gives.
  const data = ["bookId", "second", "third"].map((name) => ({ bookId: `{{${name}}}` }));
  const { run, urls } = await runCircle([
    ["main", "list", { path: "/books", captures }],
    ["main", "read", { ...asks("bookId"), data }],
  ]);
  expect(urls).toEqual(["/books", "/read?bookId=1", "/read?bookId=2"]);
  expect(ends(run)).toEqual(["main list passed", "main read passed", "main read passed", "main read skipped"]);
  expect(run.members.items.at(-1)!.reason).toBe("{{third}} has no value: the response to GET /books has none.");
  expect(run.verdict).toBe("passed");
});

test("a row changes what the run made if all of its value is that capture", async () => {
  const data = [{ id: "{{bookId}}" }, { id: "1{{bookId}}" }, { id: "1" }];
  const { run } = await runCircle(
    [
      ["setUp", "make", make(), "makes"],
      ["tearDown", "remove", change("delete", undefined, "{{id}}", { data })],
    ],
    { onlyOwn: true },
  );
  expect(ends(run).slice(1)).toEqual(["tearDown remove passed", "tearDown remove blocked", "tearDown remove blocked"]);
  expect(shop.changes).toEqual(["POST /books", "DELETE /books/3"]);
});

test("each row captures under a name of its own, and what each made is removed; the others have nothing to remove", async () => {
  target.answer((request, response) => {
    if (request.url!.includes("refused")) response.writeHead(422).end();
    else shop.answer(request, response);
  });
  const data = [1, 2, 3].map((row) => ({ id: `{{wrong${row}}}` }));
  const posts: Partial<TestInput> = {
    ...make(),
    request: { query: [{ name: "pages", value: "{{pages}}", enabled: true }] } as never,
    captures: [{ ...capture("wrong#", "$.id") }],
    data: [{ pages: "1" }, { pages: "refused" }, { pages: "2" }],
    assertions: [],
    checks: ["negative_data_rejection"],
  };
  const { run } = await runCircle(
    [
      ["main", "refuses", posts, "makes"],
      ["tearDown", "remove", change("delete", undefined, "{{id}}", { data })],
    ],
    { onlyOwn: true },
  );
  expect(shop.changes).toEqual([
    ...["POST /books?pages=1", "POST /books?pages=2"],
    ...["DELETE /books/3", "DELETE /books/4"],
  ]);
  expect(ends(run)).toEqual([
    "main refuses failed",
    "main refuses passed",
    "main refuses failed",
    "tearDown remove passed",
    "tearDown remove skipped",
    "tearDown remove passed",
  ]);
  expect(run.members.items[4]!.reason).toBe(
    'Nothing to remove: {{wrong2}} was never created. Member 2, "refuses", passed: its response has none.',
  );
});

test("a parameter whose row has nothing for it is not sent", async () => {
  const data = [{ first: "1" }, { first: "{{$none}}" }, { first: "" }];
  const { urls } = await runCircle([["main", "list", { ...asks("first"), data }]]);
  expect(urls).toEqual(["/list?first=1", "/list", "/list?first="]);
});
