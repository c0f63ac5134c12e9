import { expect, test } from "vitest";
import { describeTarget, readTarget } from "./target.ts";

const jsonEquals = { source: "jsonPath", comparison: "equals" } as const;

test("in JSON 200 is a number, true a boolean and quoted text a text", () => {
  const value = (text: string) => readTarget({ text, type: "auto" }, jsonEquals);
  expect(value("200")).toEqual({ value: 200 });
  expect(value("true")).toEqual({ value: true });
  expect(value("null")).toEqual({ value: null });
  expect(value('"200"')).toEqual({ value: "200" });
  expect(value('{"a": [1]}')).toEqual({ value: { a: [1] } });
  expect(value("open")).toEqual({ value: "open" });
  expect(value("{{id}}")).toEqual({ value: "{{id}}" });
  expect(value("007")).toEqual({ value: "007" });
});

test("a header is text, so 200 is a text there", () => {
  expect(readTarget({ text: "200", type: "auto" }, { source: "header", comparison: "equals" })).toEqual({
    value: "200",
  });
});

test("a range and a list are parsed as people write them", () => {
  const between = { source: "statusCode", comparison: "between" } as const;
  for (const text of ["200, 299", "200 to 299", "[200,299]", "200..299"]) {
    expect(readTarget({ text, type: "auto" }, between)).toEqual({ value: [200, 299] });
  }
  expect(readTarget({ text: "200, 204", type: "auto" }, { source: "statusCode", comparison: "oneOf" })).toEqual({
    value: [200, 204],
  });
});

test("a span of a date is parsed as people write it", () => {
  const within = { source: "jsonPath", comparison: "within" } as const;
  for (const text of ["1 min of now", " 1 min  of  now ", '["1 min", "now"]']) {
    expect(readTarget({ text, type: "auto" }, within)).toEqual({ value: ["1 min", "now"] });
  }
  expect(readTarget({ text: "1 h of 1732700000", type: "auto" }, within)).toEqual({ value: ["1 h", 1732700000] });
});

test("an empty target is an error, unless an empty text is allowed", () => {
  expect(readTarget({ text: "", type: "auto" }, jsonEquals)).toHaveProperty("fault");
  expect(readTarget({ text: "", type: "text" }, jsonEquals)).toEqual({ value: "" });
});

test("the interpretation of a target can be displayed", () => {
  expect(describeTarget({ text: "200", type: "auto" }, jsonEquals)).toBe("number");
  expect(describeTarget({ text: "200", type: "text" }, jsonEquals)).toBe("text");
  expect(describeTarget({ text: "{", type: "json" }, jsonEquals)).toBeUndefined();
});
