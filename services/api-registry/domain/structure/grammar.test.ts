import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { grammar2 } from "./grammar-2.ts";
import { grammar3 } from "./grammar-3.ts";
import type { Shape } from "./shapes.ts";

/** Where the schema is less, or more, strict than the standard's text. */
const differences: Record<string, { ignored: string[]; why: string }> = {
  "2.0 items": { ignored: ["type"], why: "wanted by the text only" },
  "2.0 responses": { ignored: ["default"], why: "among the schema's patterns" },
  "3.0 pathItem": {
    ignored: ["get", "put", "post", "delete", "options", "head", "patch", "trace"],
    why: "among the schema's patterns",
  },
  "3.0 header": { ignored: ["allowEmptyValue", "allowReserved"], why: "by the text, only what fits a header" },
};

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  then?: Schema;
  dependentSchemas?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  $defs?: Record<string, Schema>;
}

const require = createRequire(import.meta.url);
const versions: SpecificationVersion[] = ["2.0", "3.0", "3.1", "3.2"];

/** Names of our kinds in the standard's own schema, where they differ. */
const calledThere: Record<string, string> = {
  externaldocs: "externaldocumentation",
  flows: "oauthflows",
  items: "primitivesitems",
};

function readStandard(version: SpecificationVersion) {
  const path = require.resolve(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`);
  const root = JSON.parse(readFileSync(path, "utf8")) as Schema;
  const definitions = Object.entries(root.definitions ?? root.$defs ?? {});
  const plain = (name: string) => name.toLowerCase().replaceAll("-", "");
  const byName = new Map(definitions.map(([name, definition]) => [plain(name), definition]));
  const follow = (schema: Schema): Schema => {
    if (!schema.$ref?.startsWith("#/")) return schema;
    const parts = schema.$ref.slice(2).split("/");
    return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], root) as Schema;
  };
  return {
    find: (kind: string) =>
      kind === "document"
        ? root
        : (byName.get(kind.toLowerCase()) ?? byName.get(calledThere[kind.toLowerCase()] ?? "")),
    follow,
  };
}

type Standard = ReturnType<typeof readStandard>;

/** Every field a definition knows, in any of its branches. */
function getFields(definition: Schema, standard: Standard, found = new Map<string, Schema[]>()): Map<string, Schema[]> {
  for (const [name, schema] of Object.entries(definition.properties ?? {})) {
    found.set(name, [...(found.get(name) ?? []), schema]);
  }
  const branches = [
    ...(definition.$ref ? [standard.follow(definition)] : []),
    ...(definition.allOf ?? []),
    ...(definition.oneOf ?? []),
    ...(definition.anyOf ?? []),
    ...(definition.then ? [definition.then] : []),
    ...Object.values(definition.dependentSchemas ?? {}),
  ];
  for (const branch of branches) if (branch !== definition) getFields(branch, standard, found);
  return found;
}

/** Fields that each branch of a definition requires. */
function getRequired(definition: Schema, standard: Standard): string[] {
  const alternatives = (definition.oneOf ?? []).map((one) => getRequired(standard.follow(one), standard));
  const [first = [], ...others] = alternatives;
  return [...(definition.required ?? []), ...first.filter((name) => others.every((names) => names.includes(name)))];
}

/** The types a field may have, as far as its schema alone determines them. */
function getTypes(schemas: Schema[], standard: Standard): Set<string> {
  const types = schemas.map((schema) => {
    const { type, enum: values, const: value } = standard.follow(schema);
    return type ?? (values || value !== undefined ? typeof (values?.[0] ?? value) : undefined);
  });
  return new Set(types.filter((type): type is string => type !== undefined));
}

/** The values a field may have, if every branch that knows it enumerates some. */
function getWords(schemas: Schema[], standard: Standard): string[] | undefined {
  const all = schemas.map((schema) => {
    const { enum: values, const: value } = standard.follow(schema);
    return values ?? (value === undefined ? undefined : [value]);
  });
  if (all.length === 0 || all.includes(undefined)) return undefined;
  return [...new Set(all.flat().map(String))];
}

const typeOfShape: Partial<Record<Shape["is"], string>> = {
  text: "string",
  boolean: "boolean",
  number: "number",
  list: "array",
  map: "object",
  object: "object",
};

for (const version of versions) {
  const standard = readStandard(version);
  const grammar = version === "2.0" ? grammar2() : grammar3(version);
  for (const [kind, { fields }] of grammar) {
    const definition = standard.find(kind);
    if (!definition) continue;
    test(`OpenAPI ${version}: ${kind} has the standard's fields, with its types and required ones`, () => {
      const theirs = getFields(definition, standard);
      const ignored = differences[`${version} ${kind}`]?.ignored ?? [];
      const compared = (names: Iterable<string>) => [...names].filter((name) => !ignored.includes(name)).sort();
      expect(compared(fields.keys())).toEqual(compared(theirs.keys()));
      const required = [...fields].filter(([, field]) => field.required).map(([name]) => name);
      expect(compared(required)).toEqual(compared(getRequired(definition, standard)));
      for (const [name, { shape }] of fields) {
        const types = getTypes(theirs.get(name) ?? [], standard);
        const words = getWords(theirs.get(name) ?? [], standard);
        if (shape.is === "text" && shape.oneOf && words)
          expect([name, ...shape.oneOf].sort()).toEqual([name, ...words].sort());
        const ours = typeOfShape[shape.is];
        if (ours && types.size > 0)
          expect([name, ...types].join(" ").replace("integer", "number")).toBe(`${name} ${ours}`);
      }
    });
  }
}
