import fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isSeq, type Scalar } from "yaml";
import { equalJson } from "../json/compare-json.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { parseJson } from "../json/parse-json.ts";
import { updateYaml } from "./update-yaml.ts";
import { parseYaml, toJson, writeYaml } from "./yaml-text.ts";

const identify = (item: Json) => {
  const key = isJsonObject(item) ? (item.key ?? item.name) : undefined;
  return typeof key === "string" ? key : undefined;
};
const update = (text: string, value: Json) => updateYaml(text, value, identify);
const read = (text: string) => toJson(parseYaml(text));

const written = `# Tests of the shop.

name: Shop     # as people call it
tags: [fast,   nightly] # few
tests:
    # The first one.
    - key: list
      name: 'Lists books'
      path: /books
      checks:
      - a   # why a
      - b

    # The second one,
    # in two lines.
    - name: Create a book
      key: create
      body: |
        {
          "title": "Dune"
        }
      retry: { attempts: 2, delay: 100 }
# The end.
`;

test("what is equal keeps its text, byte by byte", () => {
  expect(update(written, read(written))).toBe(written);
});

test("a changed member changes its line alone", () => {
  const value = read(written) as { name: string; tests: { name: string; retry?: Json }[] };
  value.name = "Book shop";
  value.tests[0]!.name = "It's all: books";
  value.tests[1]!.retry = { attempts: 3, delay: 100 };
  expect(update(written, value as Json)).toBe(
    written
      .replace("name: Shop ", "name: Book shop ")
      .replace("'Lists books'", "'It''s all: books'")
      .replace("attempts: 2", "attempts: 3"),
  );
});

test("an item that moves takes its comments along, and one that is gone takes them away", () => {
  const value = read(written) as { tests: Json[] };
  const [first, second] = value.tests as [Json, Json];
  const moved = update(written, { ...value, tests: [second, first] })!;
  expect(moved).toContain(
    "    # The first one.\n    # The second one,\n    # in two lines.\n    - name: Create a book\n",
  );
  expect(moved).toContain("retry: { attempts: 2, delay: 100 }\n\n    - key: list\n");
  const without = update(written, { ...value, tests: [first] })!;
  expect(without).not.toContain("in two lines");
  expect(without).toContain("      - a   # why a\n      - b\n# The end.\n");
});

test("a new member comes after the one before it, a new item between its neighbours, in their indentation", () => {
  const value = read(written) as { name: string; tests: { key: string }[] };
  const tests = [value.tests[0]!, { key: "read", steps: [{ key: "one" }] }, value.tests[1]!];
  const { name, ...others } = value;
  const updated = update(written, { name, description: "Sells\nbooks", ...others, tests } as Json)!;
  expect(updated).toContain("# as people call it\ndescription: |-\n  Sells\n  books\ntags: [fast,   nightly] # few\n");
  expect(updated).toContain(
    "      - b\n\n    - key: read\n      steps:\n        - key: one\n\n    # The second one,\n",
  );
});

test("a member that becomes a list or empty keeps its comment", () => {
  const value = read(written) as { name: Json; tags: Json; tests: Json[] };
  expect(update(written, { ...value, name: ["Shop"] })).toContain("name: # as people call it\n  - Shop\ntags:");
  expect(update(written, { ...value, tests: [] })).toContain("few\ntests: []\n# The end.\n");
});

test("JSON stays JSON, in its order", () => {
  const text = '{\n  "b": 1,\n  "a": [{ "key": "x", "z": 1, "y": 2 }]\n}\n';
  expect(update(text, { a: [{ key: "w" }, { key: "x", y: 3, z: 1 }], b: 1 })).toBe(
    `${JSON.stringify({ b: 1, a: [{ key: "w" }, { key: "x", z: 1, y: 3 }] }, null, 2)}\n`,
  );
});

test("numbers keep their digits", () => {
  const value = parseJson('{"target": 9007199254740993, "price": 29.00, "text": "1.0"}');
  expect(writeYaml(value)).toBe('target: 9007199254740993\nprice: 29.00\ntext: "1.0"\n');
  expect(equalJson(read(writeYaml(value)), value)).toBe(true);
});

test("lines that end with CR and LF still do", () => {
  const windows = written.replaceAll("\n", "\r\n");
  const value = read(written) as { name: string };
  value.name = "Books";
  expect(update(windows, value as Json)).toBe(windows.replace("name: Shop", "name: Books"));
});

test("what is no YAML, and anchors that a change would break, are not changed", () => {
  expect(update("a: [", { a: 1 })).toBeUndefined();
  expect(update("a: &x 1\nb: *x\n", { a: 2, b: 1 })).toBeUndefined();
});

const key = fc.constantFrom("key", "name", "a", "b", "c", "with space", "#", "1", "null", "a: b");
const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "one\ntwo\n",
    " a\n\n\nb\n\n",
    "\n",
    "- x",
    "# x",
    "null",
    "1.0",
    "a: b",
    "{{x}}",
    "x #",
    "'",
    '"',
    "\t",
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar as fc.Arbitrary<Json>,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const top = fc.dictionary(key, anyValue, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

/** A text with a comment above each member of its block collections. */
function withComments(text: string): string {
  const starts: number[] = [];
  const visit = (node: unknown): void => {
    if (isMap(node) && !node.flow)
      for (const { key: name, value } of node.items) {
        starts.push(text.lastIndexOf("\n", (name as Scalar).range![0]) + 1);
        visit(value);
      }
    if (isSeq(node) && !node.flow) node.items.forEach(visit);
  };
  visit(parseYaml(text).contents);
  return [...new Set(starts)]
    .sort((one, other) => other - one)
    .reduce((commented, start, index) => {
      const rest = commented.slice(start);
      return `${commented.slice(0, start)}${/^ */.exec(rest)![0]}# ${index}\n${rest}`;
    }, text);
}

test("an updated text always has the new value, and what is equal keeps its text", () => {
  fc.assert(
    fc.property(top, top, (before, after) => {
      const text = withComments(writeYaml(before));
      expect(update(text, before)).toBe(text);
      const updated = update(text, after);
      expect(updated).toBeDefined();
      expect(equalJson(read(updated!), after)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("where one member changes, the lines and comments of all others stay", () => {
  fc.assert(
    fc.property(top, anyValue, (others, changed) => {
      const text = withComments(writeYaml({ changing: "before", ...others }));
      const updated = update(text, { changing: changed, ...others })!;
      const rest = text.slice(text.indexOf("\n", text.indexOf("changing: before")));
      expect(updated.endsWith(rest)).toBe(true);
    }),
  );
});
