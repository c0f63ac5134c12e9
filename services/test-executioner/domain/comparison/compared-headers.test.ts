import { expect, test } from "vitest";
import { headersToCompare } from "./compared-headers.ts";

test("headers are compared by name, repeated ones together, those specific to each response not at all", () => {
  const headers: [string, string][] = [
    ["Date", "Sat, 21 Nov 2026 14:00:00 GMT"],
    ["X-Version", "2.0"],
    ["Vary", "accept"],
    ["vary", "origin"],
  ];
  expect(JSON.parse(headersToCompare({ headers }))).toEqual({ "x-version": "2.0", vary: "accept, origin" });
});
