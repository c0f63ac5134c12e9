import { expect, test } from "vitest";
import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "#libraries/running/run-test.ts";
import { createParts, toRun } from "#libraries/running/testing/parts.ts";
import { object, operation } from "../testing/operations.ts";
import { planAll } from "../testing/plans.ts";

const filter = {
  ...object({ status: { enum: ["open", "closed"] }, pages: { type: "integer", minimum: 1 } }, ["status"]),
  additionalProperties: false,
};
const shelves = { type: "array", items: { type: "integer" }, maxItems: 2, uniqueItems: true };
const { signal } = new AbortController();

/** Runs the rows of the test that is made for these parameters, against a server that accepts everything. */
async function runRows(path: string, parameters: Partial<OperationParameter>[]) {
  const described = operation(`GET ${path}`, { parameters });
  const { data = [], ...refusing } = planAll([described]).find(`GET ${path} refuses invalid requests`);
  const results: string[][] = [];
  for (const row of data) {
    const { parts, sent } = createParts([{ status: 200, body: "{}" }]);
    const surroundings = { apiId: "api", specificationVersion: "3.1" as const, components: {}, securitySchemes: [] };
    const findOperation = async () => ({ ...surroundings, operation: described });
    const result = await runTest(parts, toRun(refusing as Partial<Test>, { row, findOperation }), { signal });
    const { pathname, search } = new URL(sent[0]!.url);
    results.push([row.case!, decodeURIComponent(pathname + search), result.verifications[0]!.message]);
  }
  return results;
}

test("members of a deepObject are sent wrongly one by one, and what was accepted is said", async () => {
  const query = { name: "filter", in: "query", style: "deepObject", explode: true, required: false } as const;
  const sayAccepted = (what: string) => `Accepted ${what} (GET /books, 200).`;
  expect(await runRows("/books", [{ ...query, schema: filter }])).toEqual([
    [
      "filter.status is missing",
      "/books?filter[pages]=1",
      sayAccepted("a request without `filter.status` in the query although it is required"),
    ],
    [
      "filter.status is none of the enumeration",
      "/books?filter[status]=none-of-these&filter[pages]=1",
      sayAccepted('`filter.status: "none-of-these"` in the query although only "open", "closed" are documented'),
    ],
    [
      "filter.pages is a string, a whole number is documented",
      "/books?filter[status]=open&filter[pages]=abc",
      sayAccepted('`filter.pages: "abc"` in the query although a whole number is documented'),
    ],
    [
      "filter.pages is 0, at least 1",
      "/books?filter[status]=open&filter[pages]=0",
      sayAccepted("`filter.pages: 0` in the query although at least 1 is documented"),
    ],
    [
      "filter has a member that is not documented",
      "/books?filter[status]=open&filter[pages]=1&filter[notDocumented]=a",
      sayAccepted('`filter.notDocumented: "a"` in the query although no such member is documented'),
    ],
    [
      "filter.pages is 1.5, a whole number is documented",
      "/books?filter[status]=open&filter[pages]=1.5",
      sayAccepted("`filter.pages: 1.5` in the query although a whole number is documented"),
    ],
  ]);
});

test.each([
  ["label", false, [".pages,1", ".status,none-of-these,pages,1", ".status,open,pages,abc", ".status,open,pages,0"]],
  ["label", true, [".pages=1", ".status=none-of-these.pages=1", ".status=open.pages=abc", ".status=open.pages=0"]],
  ["matrix", false, [",pages,1", ",status,none-of-these,pages,1", ",status,open,pages,abc", ",status,open,pages,0"]],
  ["matrix", true, [";pages=1", ";status=none-of-these;pages=1", ";status=open;pages=abc", ";status=open;pages=0"]],
] as const)("members in a path of the style %s, explode %s, too", async (style, explode, texts) => {
  const results = await runRows("/books/{filter}", [{ name: "filter", in: "path", style, explode, schema: filter }]);
  const written = texts.map((text) => `/books/${text.replace(/^,/, ";filter=")}`);
  expect(results.map(([, path]) => path)).toEqual(expect.arrayContaining(written));
  for (const [, , said] of results) expect(said).toMatch(/^Accepted .*filter.* in the path although /);
});

test("too many, equal and wrong items of a list are sent as its style writes them", async () => {
  const list = { name: "shelves", in: "path", style: "matrix", explode: false, schema: shelves } as const;
  const place = "in the path although";
  expect(await runRows("/books/{shelves}", [list])).toEqual([
    [
      "shelves is a string, a whole number is documented",
      "/books/;shelves=abc",
      `Accepted \`shelves[0]: "abc"\` ${place} a whole number is documented (GET /books/{shelves}, 200).`,
    ],
    [
      "shelves has 3 items, at most 2",
      "/books/;shelves=1,2,3",
      `Accepted \`shelves: [1,2,3]\` ${place} at most 2 items are documented (GET /books/{shelves}, 200).`,
    ],
    [
      "shelves has equal items",
      "/books/;shelves=1,1",
      `Accepted \`shelves: [1,1]\` ${place} no equal items are documented (GET /books/{shelves}, 200).`,
    ],
  ]);
});

test("a list of which a valid request sends several values has rows, too", async () => {
  const list = { name: "shelves", in: "query", style: "form", explode: true, schema: shelves } as const;
  const results = await runRows("/books", [{ ...list, sample: [1, 2], examples: [{ value: [1, 2] }] as never }]);
  expect(results.map(([, path]) => path)).toEqual([
    ...["/books", "/books?shelves=abc", "/books?shelves=1.5"],
    ...["/books?shelves=1&shelves=2&shelves=3", "/books?shelves=1&shelves=1"],
  ]);
});
