import { expect, test } from "vitest";
import type { Test } from "#contracts/test-registry/tests.ts";
import { listMissingValues } from "./missing-values.ts";

const pair = (value: string, enabled = true) => ({ name: "a", value, enabled });
const request = {
  pathParameters: [pair("{{bookId}}")],
  query: [pair("{{off}}", false), pair("{{$uuid}}")],
  ...{ headers: [pair("{{tenant}}")], cookies: [], body: { kind: "none" } },
} as unknown as Test["request"];
const requesting = { request, assertions: [], data: [] } as Pick<Test, "request" | "assertions" | "data">;

test("a test lacks the variables it uses that are defined nowhere", () => {
  expect(listMissingValues(requesting, [])).toEqual(["bookId", "tenant"]);
  expect(listMissingValues(requesting, ["tenant"])).toEqual(["bookId"]);
  expect(listMissingValues({ ...requesting, data: [{ bookId: "1" }] }, ["tenant"])).toEqual([]);
});
