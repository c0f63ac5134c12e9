import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ExactNumber } from "../json/exact-number.ts";
import { parseJson } from "../json/parse-json.ts";
import { writeJson } from "../json/write-json.ts";
import { formatLocation, InvalidJsonPath, parseJsonPath, pointerTo, selectNodes } from "./json-path.ts";

interface Case {
  name: string;
  selector: string;
  document?: unknown;
  result?: unknown[];
  results?: unknown[][];
  invalid_selector?: boolean;
}

const suite = JSON.parse(
  readFileSync(new URL("../../tests/fixtures/json-path/compliance-suite.json", import.meta.url), "utf8"),
) as { tests: Case[] };

function select(selector: string, document: unknown): unknown[] {
  return selectNodes(parseJsonPath(selector), document as never).map((node) => node.value);
}

test.each(suite.tests.map((one) => [one.name, one] as const))("RFC 9535 compliance: %s", (_, one) => {
  if (one.invalid_selector) {
    expect(() => parseJsonPath(one.selector)).toThrow(InvalidJsonPath);
  } else {
    const selected = select(one.selector, one.document);
    if (one.results) expect(one.results).toContainEqual(selected);
    else expect(selected).toEqual(one.result);
  }
});

test("&& binds tighter than || in chains of any length", () => {
  const documents = [{ a: 1, c: 1 }, { a: 1, b: 1, c: 1 }, { d: 1 }];
  expect(select("$[?@.a && @.b && @.c]", documents)).toEqual([documents[1]]);
  expect(select("$[?@.d || @.a && @.b]", documents)).toEqual([documents[1], documents[2]]);
});

test("length counts characters, not UTF-16 units", () => {
  expect(select("$[?length(@)==1]", ["😀", "ab"])).toEqual(["😀"]);
});

test("match applies to the whole text whatever the pattern's alternatives", () => {
  expect(select("$[?match(@, 'a|b')]", ["ab", "a", "xb"])).toEqual(["a"]);
});

test("strings are ordered by code point", () => {
  expect(select("$[?@ < '\u{1F600}']", ["\uFFFF"])).toEqual(["\uFFFF"]);
});

test("a number that is kept as written has no members", () => {
  const exact = new ExactNumber("1e999999");
  expect(select("$..*", [exact])).toEqual([exact]);
  expect(select("$[0].text", [exact])).toEqual([]);
});

test.each([
  ["$[?@ < 9007199254740993]", "[9007199254740992,9007199254740993]", "[9007199254740992]"],
  ["$[?@ == 9007199254740993]", "[9007199254740992,9007199254740993]", "[9007199254740993]"],
  [
    "$[?@.a == $[0].a].a",
    '[{"a":9007199254740993},{"a":9007199254740992},{"a":9007199254740993.0}]',
    "[9007199254740993,9007199254740993.0]",
  ],
  ["$[?@ == 2936.233804484341]", "[2936.23380448434092597,2936.2338044843410]", "[2936.2338044843410]"],
  ["$[?@ > 1e400]", "[1e400,1.1e400]", "[1.1e400]"],
  ["$[?@ >= 1.0]", "[1,0.99999999999999999999]", "[1]"],
])("filters compare numbers as decimals: %s", (query, document, selected) => {
  expect(writeJson(select(query, parseJson(document)) as never)).toBe(selected);
});

test("H11: a filter with a pattern that makes backtracking engines hang is evaluated immediately", () => {
  expect(select("$[?match(@, '(a+)+b')]", [`${"a".repeat(10_000)}c`])).toEqual([]);
});

test("H11: filters nested as deep as a query allows are evaluated, and longer queries are refused", () => {
  expect(select(`$[?${"(".repeat(990)}@.a${")".repeat(990)}]`, [{ a: 1 }])).toEqual([{ a: 1 }]);
  let deep: unknown = 1;
  for (let level = 0; level < 499; level += 1) deep = [deep];
  expect(select(`$${"[?@".repeat(490)}${"]".repeat(490)}`, deep)).toHaveLength(1);
  expect(select("$..*", deep)).toHaveLength(499);
  expect(() => parseJsonPath(`$.${"a".repeat(3_000)}`)).toThrow(/at most 2000 characters/);
});

test("H11: a query that multiplies nodes fails with a reason", () => {
  const wide = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => [1, 2, 3, 4, 5, 6]));
  expect(() => select("$..[*,*]..[*,*]", wide)).toThrow(/more than 500000 nodes/);
});

test("a syntax error is reported with its position", () => {
  expect(() => parseJsonPath("$.items[0")).toThrow("Not a JSONPath: unclosed bracketed selection (character 10).");
  expect(() => parseJsonPath("$.")).toThrow("Not a JSONPath: expected a name, * or brackets (character 3).");
  expect(() => parseJsonPath("$[?count(@)]")).toThrow(
    "Not a JSONPath: result of count() must be compared (character 4).",
  );
  expect(() => parseJsonPath("items[0]")).toThrow("Not a JSONPath: a query starts with $ (character 1).");
});

test("locations are formatted as path and as pointer", () => {
  const [node] = selectNodes(parseJsonPath("$..['c/d']"), { a: [{ "c/d": 1 }] });
  expect(node && formatLocation(node)).toBe('$.a[0]["c/d"]');
  expect(node && pointerTo(node)).toBe("/a/0/c~1d");
});
