import { expect, test } from "vitest";
import { completeJson } from "./complete-json.ts";
import { judgeJson } from "./judge-json.ts";
import type { JsonSchema } from "./schema-steps.ts";

const pet: JsonSchema = {
  schema: { $ref: "#/components/schemas/Pet" },
  components: {
    "#/components/schemas/Pet": {
      type: "object",
      required: ["id", "name", "kind"],
      additionalProperties: false,
      properties: {
        id: { type: "integer", readOnly: true },
        name: { type: "string", minLength: 1, description: "What it is called" },
        kind: { enum: ["cat", "dog"] },
        age: { type: "integer", minimum: 0 },
        wild: { type: "boolean" },
        friends: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
        owner: { oneOf: [{ $ref: "#/components/schemas/Person" }, { type: "string" }], nullable: true },
      },
    },
    "#/components/schemas/Person": { type: "object", properties: { mail: { type: "string" } }, required: ["mail"] },
  },
};

/** `|` marks the cursor. */
function offers(marked: string) {
  const offset = marked.indexOf("|");
  const source = marked.replace("|", "");
  const found = completeJson(source, offset, pet);
  return (
    found && { ...found, labels: found.options.map(({ label }) => label), replaced: source.slice(found.from, found.to) }
  );
}

test("missing names of the object are offered, required ones marked, read-only ones omitted", () => {
  const found = offers('{"name": "Tom", |}');
  expect(found?.labels).toEqual(["kind", "age", "wild", "friends", "owner"]);
  expect(found?.options.filter(({ required }) => required).map(({ label }) => label)).toEqual(["kind"]);
});

test("a partly written name is replaced as a whole, and the colon is not doubled", () => {
  expect(offers('{"na|": "Tom"}')).toMatchObject({ replaced: '"na"' });
  expect(offers('{"na|": "Tom"}')?.options[0]).toMatchObject({ label: "name", insert: '"name"' });
  expect(offers('{"na|"}')?.options[0]).toMatchObject({ insert: '"name": ' });
});

test("enumerations and booleans are offered as values", () => {
  expect(offers('{"kind": |}')?.labels).toEqual(['"cat"', '"dog"']);
  expect(offers('{"kind": "c|"}')).toMatchObject({ replaced: '"c"', labels: ['"cat"', '"dog"'] });
  expect(offers('{"wild": tr|}')).toMatchObject({ replaced: "tr", labels: ["true", "false"] });
});

test("completion covers lists, circular references and alternatives", () => {
  expect(offers('{"friends": [{"friends": [{|}]}]}')?.labels).toContain("kind");
  expect(offers('{"owner": {|}}')?.labels).toEqual(["mail"]);
});

const messages = (source: string) => judgeJson(source, pet).map(({ message }) => message);

test("violations of the schema are reported at their position", () => {
  expect(messages('{"name": "", "kind": "cow", "age": -1.5, "colour": "red"}')).toEqual([
    "Expected a length of at least 1",
    'Expected "cat", "dog"',
    "Expected integer, not number",
    "colour is not among the documented properties",
  ]);
  expect(messages("{}")).toEqual(["name is missing", "kind is missing"]);
  expect(messages('{"name": "Tom", "kind": "cat", "owner": {"mail": 1}}')).toEqual([
    "Matches none of the 2 alternatives",
  ]);
});

test("a valid text has no diagnostic", () => {
  expect(messages('{"name": "Tom", "kind": "cat", "owner": "Ann", "friends": []}')).toEqual([]);
});

test("a variable is accepted for any value, within a text or as a whole value", () => {
  expect(messages('{"name": "{{name}}", "kind": "{{kind}}", "age": {{age}}}')).toEqual([]);
});

test("syntax errors come first, with their position", () => {
  expect(judgeJson('{"name": }', pet)).toMatchObject([
    { kind: "syntax", message: "Not JSON: a value is missing", from: 9 },
  ]);
});

test("without a schema only syntax is checked", () => {
  expect(judgeJson('{"anything": [1]}', undefined)).toEqual([]);
});

test("a value is checked once by a schema that is referenced in a million ways", () => {
  const components = Object.fromEntries(
    Array.from({ length: 31 }, (_, level) => {
      const next = { $ref: `#/${level + 1}` };
      const word = ["allOf", "anyOf", "oneOf"][level % 3]!;
      return [`#/${level}`, level < 30 ? { [word]: [next, next] } : { type: "string" }];
    }),
  );
  expect(judgeJson("1", { schema: { $ref: "#/0" }, components })).toMatchObject([{ from: 0, to: 1 }]);
});
