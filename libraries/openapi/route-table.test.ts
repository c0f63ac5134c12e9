import { expect, test } from "vitest";
import { RouteTable } from "./route-table.ts";

const table = new RouteTable<number>();
table.add("GET", "/apis/{apiId}", 1);
table.add("DELETE", "/apis/{apiId}", 2);
table.add(undefined, "/apis/new", 3);
table.add(undefined, "/apis/:apiId/tests/:testId", 4);
table.add(undefined, "/assets/*", 5);
table.add(undefined, "/*", 6);

test.each([
  ["GET", "/apis/17", "/apis/{apiId}", 1],
  ["DELETE", "/apis/17/", "/apis/{apiId}", 2],
  ["GET", "/apis/new", "/apis/new", 3],
  ["POST", "/apis/1/tests/2", "/apis/:apiId/tests/:testId", 4],
  ["GET", "/assets/a/b.js", "/assets/*", 5],
  ["POST", "/apis/17", "/*", 6],
  ["GET", "/", "/*", 6],
])("%s %s matches %s", (method, path, pattern, value) => {
  expect(table.find(method, path)).toMatchObject({ pattern, value });
});

test("a path without a matching pattern is not found", () => {
  const small = new RouteTable();
  small.add("GET", "/one", undefined);
  expect(small.find("GET", "/one/two")).toBeUndefined();
  expect(small.find("POST", "/one")).toBeUndefined();
});
