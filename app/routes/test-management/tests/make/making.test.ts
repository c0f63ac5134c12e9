import { expect, test } from "vitest";
import { checksInWords, operationValue, readOperation } from "./making";

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
