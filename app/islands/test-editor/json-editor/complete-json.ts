import { getLocation, type Node, parseTree } from "jsonc-parser";
import { isRecord, list, type SchemaRecord, text } from "~/features/schema-view/read-schema";
import { typeInWords } from "~/features/schema-view/schema-words";
import { withoutVariables } from "~/features/test-editor/json-fault";
import { getTypes, type JsonSchema, schemasAt } from "./schema-steps.ts";

export interface JsonCompletion {
  label: string;
  /** Replaces the text between `from` and `to`. */
  insert: string;
  detail: string;
  description?: string;
  required: boolean;
}

export interface JsonCompletions {
  from: number;
  to: number;
  options: JsonCompletion[];
}

/** The completions at a position of a JSON text: names missing from its object, or values that its schema lists. */
export function completeJson(source: string, offset: number, root: JsonSchema): JsonCompletions | undefined {
  const document = withoutVariables(source);
  const location = getLocation(document, offset);
  const { previousNode } = location;
  const inside = previousNode && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length;
  const from = inside ? previousNode.offset : wordStart(document, offset);
  const to = inside ? previousNode.offset + previousNode.length : offset;
  if (location.isAtPropertyKey) {
    const path = location.path.slice(0, -1);
    const options = namesAt(document, path, root, inside ? text(previousNode.value) : undefined);
    const colonFollows = /^\s*:/.test(document.slice(to));
    return options.length === 0
      ? undefined
      : { from, to, options: options.map((option) => (colonFollows ? withoutColon(option) : option)) };
  }
  const options = valuesAt(schemasAt(root, location.path));
  return options.length === 0 ? undefined : { from, to, options };
}

function wordStart(document: string, offset: number): number {
  const word = /[\w."-]*$/.exec(document.slice(0, offset))?.[0] ?? "";
  return offset - word.length;
}

function withoutColon(option: JsonCompletion): JsonCompletion {
  return { ...option, insert: JSON.stringify(option.label) };
}

function namesAt(
  document: string,
  path: readonly (string | number)[],
  root: JsonSchema,
  current: string | undefined,
): JsonCompletion[] {
  const taken = new Set(membersAt(parseTree(document), path));
  const schemas = schemasAt(root, path);
  const required = new Set(schemas.flatMap((schema) => list(schema.required)));
  const options = new Map<string, JsonCompletion>();
  for (const { properties } of schemas) {
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      if (options.has(name) || (taken.has(name) && name !== current)) continue;
      const inner = schemasAt({ schema: schema as SchemaRecord, components: root.components }, []);
      if (inner.some((one) => one.readOnly === true)) continue;
      options.set(name, {
        label: name,
        insert: `${JSON.stringify(name)}: `,
        detail: inner[0] ? typeInWords(inner[0], root.components) : "any value",
        description: inner.map((one) => text(one.description)).find(Boolean),
        required: required.has(name),
      });
    }
  }
  return [...options.values()];
}

function membersAt(root: Node | undefined, path: readonly (string | number)[]): string[] {
  let node = root;
  for (const step of path) {
    node =
      typeof step === "number"
        ? node?.children?.[step]
        : node?.children?.find(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }
  return node?.type === "object" ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : [];
}

function valuesAt(schemas: readonly SchemaRecord[]): JsonCompletion[] {
  const options = new Map<string, JsonCompletion>();
  const offer = (value: unknown, detail: string) => {
    const insert = JSON.stringify(value);
    if (insert !== undefined && !options.has(insert))
      options.set(insert, { label: insert, insert, detail, required: false });
  };
  for (const schema of schemas) {
    for (const value of "const" in schema ? [schema.const] : list(schema.enum)) offer(value, "allowed value");
  }
  for (const schema of schemas) {
    if ("default" in schema) offer(schema.default, "default");
    if ("example" in schema) offer(schema.example, "example");
    for (const example of list(schema.examples)) offer(example, "example");
    for (const type of getTypes(schema)) {
      if (type === "boolean") for (const value of [true, false]) offer(value, "boolean");
      if (type === "null") offer(null, "null");
    }
  }
  return [...options.values()];
}
