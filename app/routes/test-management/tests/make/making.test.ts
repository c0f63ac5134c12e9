import { expect, test } from "vitest";
import { checksInWords, getGroup, operationValue, readOperation } from "./making";

test("operations are grouped by their tag, or by the first named part of their path", () => {
  expect(getGroup({ tag: "books", path: "/v1/authors" })).toBe("books");
  expect(getGroup({ tag: "", path: "/authors/{id}" })).toBe("authors");
  expect(getGroup({ tag: "", path: "/{tenant}/authors" })).toBe("authors");
  expect(getGroup({ tag: "", path: "/api/v1/authors" })).toBe("authors");
  expect(getGroup({ tag: "", path: "/v1" })).toBe("/");
  expect(getGroup({ tag: "", path: "/" })).toBe("/");
});

test("the checks of a test are listed in a few words", () => {
  const equals = { source: "statusCode" as const, comparison: "equals" as const, target: 200 };
  expect(checksInWords({ assertions: [equals], checks: ["not_a_server_error"] })).toBe("200");
  const oneOf = { ...equals, comparison: "oneOf" as const, target: [201, 202] };
  const checks = ["content_type_conformance" as const, "response_schema_conformance" as const];
  expect(checksInWords({ assertions: [oneOf], checks })).toBe("201 or 202, schema, content type");
  const between = { ...equals, comparison: "between" as const, target: [200, 299] };
  expect(checksInWords({ assertions: [between], checks: [] })).toBe("2XX");
});

test("a form identifies an operation by method and path, including spaces in the path", () => {
  const operation = { method: "get", path: "/a b?c=d" };
  expect(readOperation(operationValue(operation))).toEqual(operation);
  expect(["", "get", "get "].map(readOperation)).toEqual([undefined, undefined, undefined]);
});
