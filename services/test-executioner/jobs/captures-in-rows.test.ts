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
  const captures = ["first", "second", "third"].map((name, index) => capture(name, `$.books[${index}]`));
  const data = ["first", "second", "third"].map((name) => ({ bookId: `{{${name}}}` }));
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
