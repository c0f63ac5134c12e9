import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { exampleChoices, pickedContent } from "./example-choices";

function withBodies(content: object[]): OperationWithComponents {
  return { operation: { requestBody: { required: true, description: "", content } } } as OperationWithComponents;
}

const json = { mediaType: "application/json", examples: [], sample: { id: 1 } };

test("a single body offers no choice", () => {
  expect(exampleChoices(withBodies([json]))).toEqual([]);
});

test("a sample that only exists as JSON is not offered as XML", () => {
  const xml = { ...json, mediaType: "application/xml" };
  const form = { ...json, mediaType: "application/x-www-form-urlencoded" };
  expect(exampleChoices(withBodies([json, xml, form]))).toEqual([
    { value: "0", label: "Generated from the schema (application/json)" },
    { value: "2", label: "Generated from the schema (application/x-www-form-urlencoded)" },
  ]);
});

test("the document's examples are picked by index, and an invalid index picks nothing", () => {
  const examples = [
    { name: "short", value: { id: 2 } },
    { name: "other", summary: "Another one", value: { id: 3 } },
  ];
  const result = withBodies([{ ...json, examples }]);
  expect(exampleChoices(result).map(({ label }) => label)).toEqual(["short", "Another one"]);
  expect(pickedContent(result, "0.1")?.sample).toEqual({ id: 3 });
  const digits = {
    ...json,
    sampleJson: "7",
    examples: [...examples, { name: "big", value: 1e16, valueJson: "10000000000000001" }],
  };
  expect(pickedContent(withBodies([digits]), "0.2")?.sampleJson).toBe("10000000000000001");
  expect(pickedContent(withBodies([digits]), "0.1")?.sampleJson).toBeUndefined();
  expect([pickedContent(result, "7"), pickedContent(result, null)]).toEqual([undefined, undefined]);
});
