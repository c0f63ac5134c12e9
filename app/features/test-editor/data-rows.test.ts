import fc from "fast-check";
import { expect, test } from "vitest";
import { readDataRows, writeDataRows } from "./data-rows.ts";

const body = fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(JSON.parse(text)));
const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  body,
  fc.constantFrom("", ' "a", b ', "line\nbreak", "a\r\nb", "[", "{"),
);
const name = fc
  .oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom("user name", 'q"uote', "a,b"))
  .filter((text) => text !== "__proto__");

test("rows survive their text area, whatever they contain", () => {
  const table = fc
    .uniqueArray(name, { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.array(fc.record(Object.fromEntries(names.map((one) => [one, cell]))), { minLength: 1, maxLength: 4 }),
    );
  const ragged = fc.array(fc.dictionary(name, cell, { maxKeys: 3 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(table, ragged), (rows) => {
      expect(readDataRows(writeDataRows(rows))).toEqual({ rows });
    }),
    { numRuns: 1_000 },
  );
});

test("a table whose first name looks like the start of a JSON list is still a table", () => {
  const rows = [{ "[{-": "1", b: "2" }];
  expect(readDataRows(writeDataRows(rows))).toEqual({ rows });
});

test("CSV is read as people write it", () => {
  expect(readDataRows('name, age\nTom, 3\n\n"Ann, the second",4\n')).toEqual({
    rows: [
      { name: "Tom", age: "3" },
      { name: "Ann, the second", age: "4" },
    ],
  });
});

test("a JSON list is read too, numbers as text", () => {
  expect(readDataRows('[{"age": 3, "tags": ["a"]}]')).toEqual({ rows: [{ age: "3", tags: '["a"]' }] });
});

test("bodies are written as JSON, a row on each line", () => {
  const rows = [
    { case: "title is missing", body: "{}" },
    { case: "title is a number", body: '{"title":5,"tags":["{{tag}}"]}' },
    { case: "the body is no JSON", body: '{"' },
  ];
  expect(writeDataRows(rows)).toBe(
    [
      "[",
      '  {"case": "title is missing", "body": {}},',
      '  {"case": "title is a number", "body": {"title":5,"tags":["{{tag}}"]}},',
      '  {"case": "the body is no JSON", "body": "{\\""}',
      "]",
    ].join("\n"),
  );
});

test("empty text means no repetition", () => {
  expect(readDataRows(" \n ")).toEqual({ rows: undefined });
  expect(writeDataRows(undefined)).toBe("");
});

test("unreadable text is answered with a remedy", () => {
  const fault = (text: string) => readDataRows(text).fault;
  expect(fault("name,age\nTom")).toBe("Row 1 has 1 values, but there are 2 columns");
  expect(fault("name,,age\n1,2,3")).toBe("Enter column names in the first line");
  expect(fault("name,name\n1,2")).toBe("Two columns have the same name");
  expect(fault("name")).toBe("Add at least one line of values below the column names");
  expect(fault("[1]")).toBe("Add at least one line of values below the column names");
  expect(fault('[{"a"')).toMatch(/Not a list of rows/);
});
