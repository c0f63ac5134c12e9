import { expect, test } from "vitest";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { judge } from "../../../judging/testing/judge.ts";
import { type ScriptReader, writeCondition } from "./condition.ts";
import { defineHelpers } from "./script-functions.ts";

const body = {
  id: 7,
  name: "Dune",
  nothing: null,
  empty: [],
  price: 12.5,
  tags: ["a", "b"],
  at: "2026-01-02T03:04:05Z",
  items: [{ id: 1, "odd name": true }, { id: 2 }],
};

const reader: ScriptReader = {
  status: "response.status",
  json: "response.json",
  header: (name) => `response.headers[${JSON.stringify(name.toLowerCase())}]`,
  variable: (name) => `response.variables[${JSON.stringify(name)}]`,
  isCaptured: (name) => name === "captured",
};

function holds(assertion: Assertion): boolean {
  const written = writeCondition({ property: undefined, target: undefined, ...assertion }, reader);
  if ("reason" in written) throw new Error(written.reason);
  const code = [...defineHelpers([written.code]), `return ${written.code};`].join("\n");
  const response = { status: 200, json: body, headers: { "x-count": "3" }, variables: { captured: 7, typed: "7" } };
  return new Function("response", code)(response);
}

const path = (property: string, comparison: Assertion["comparison"], target?: unknown): Assertion => ({
  ...{ source: "jsonPath", property, comparison },
  ...(target === undefined ? {} : { target }),
});
const header = (property: string, comparison: Assertion["comparison"], target?: unknown): Assertion => ({
  ...{ source: "header", property, comparison },
  ...(target === undefined ? {} : { target }),
});

test.each<Assertion>([
  { source: "statusCode", comparison: "equals", target: 200 },
  { source: "statusCode", comparison: "oneOf", target: [201, 204] },
  { source: "statusCode", comparison: "noneOf", target: [500] },
  path("$.id", "equals", 7),
  path("$.id", "equals", "7"),
  path("$.id", "notEquals", 7),
  path("$.id", "lessThan", 8),
  path("$.id", "greaterThanOrEqual", 8),
  path("$.price", "between", [12, 13]),
  path("$.price", "hasType", "integer"),
  path("$.price", "hasType", "number"),
  path("$.id", "hasType", "integer"),
  path("$.tags", "hasType", "array"),
  path("$.items[0]", "hasType", "object"),
  path("$.name", "contains", "un"),
  path("$.name", "notContains", "x"),
  path("$.tags", "contains", "b"),
  path("$.tags", "equals", ["a", "b"]),
  path("$.items[1]", "equals", { id: 2 }),
  path("$.items", "contains", { id: 2 }),
  path("$.items[-1].id", "equals", 2),
  path("$.items[0]['odd name']", "equals", true),
  path("$.items[*].id", "contains", 2),
  path("$.items[*].id", "equals", [1, 2]),
  path("$.items[*]['odd name']", "equals", true),
  path("$.items[*].absent", "exists"),
  path("$.items[*].id", "lengthEquals", 2),
  path("$.*", "lengthGreaterThan", 7),
  path("$.name", "startsWith", "Du"),
  path("$.name", "endsWith", "Du"),
  path("$.name", "matches", "(?i)^d.+e$"),
  path("$.name", "notMatches", "\\d"),
  path("$.name", "lengthEquals", 4),
  path("$.nothing", "isNull"),
  path("$.nothing", "isNotNull"),
  path("$.nothing", "exists"),
  path("$.absent", "exists"),
  path("$.absent", "notExists"),
  path("$.absent", "isNotNull"),
  path("$.absent", "equals", 1),
  path("$.empty", "isEmpty"),
  path("$.tags", "isNotEmpty"),
  path("$.at", "before", "2026-02-01"),
  path("$.at", "after", "2026-02-01"),
  path("$.at", "within", ["1 d", "2026-01-02T00:00:00Z"]),
  header("X-Count", "equals", 3),
  header("X-Count", "equals", "3"),
  header("X-Count", "greaterThan", 3),
  header("X-Absent", "notExists"),
  header("X-Absent", "exists"),
])("a script and the engine agree on %j", (assertion) => {
  const { outcome } = judge(assertion, { response: { json: body, headers: [["X-Count", "3"]] } });
  expect(holds(assertion)).toBe(outcome === "passed");
});

test("a captured value has its type, and a typed one is read as if typed in its place", () => {
  expect(holds(path("$.id", "equals", "{{captured}}"))).toBe(true);
  expect(holds(path("$.id", "equals", "{{typed}}"))).toBe(true);
  expect(holds(header("X-Count", "equals", "{{typed}}"))).toBe(false);
});

test("what JavaScript can't say exactly has a reason", () => {
  for (const assertion of [path("$..id", "exists"), path("$.name", "matches", "(?P<word>a)"), path("$[0:2]", "exists")])
    expect(writeCondition({ property: undefined, target: undefined, ...assertion }, reader)).toHaveProperty("reason");
});
