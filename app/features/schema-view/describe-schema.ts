import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { withExactNumbers } from "#libraries/openapi/exact-schema.ts";
import { createMarkdownRenderer, type RenderMarkdown } from "~/ui/markdown/markdown";
import { getMembers } from "./object-members.ts";
import {
  type Components,
  isRecord,
  isSchema,
  join,
  list,
  resolveSchema,
  type SchemaRecord,
  text,
} from "./read-schema.ts";
import type { SchemaEntry, SchemaGroup, SchemaMark, SchemaNode } from "./schema-node.ts";
import { formatValue, rulesInWords, typeInWords } from "./schema-words.ts";

export interface DescribeSchemaOptions {
  components: Components;
  /** JSON pointer of the schema in the response that describes the operation; folded parts are loaded from there. */
  location: string;
  /**
   * Maximum of unfolded schemas; the rest is folded, deepest levels first, so that a page does not grow with its
   * document.
   */
  maximumNodes?: number;
  /** Maximum of unfolded levels. */
  maximumDepth?: number;
  /** Shared by the schemas of a page that shows several. */
  renderMarkdown?: RenderMarkdown;
}

const maximumValues = 40;
const maximumExamples = 3;

interface Growing extends SchemaNode {
  groups: GrowingGroup[];
}
interface GrowingGroup extends SchemaGroup {
  entries: SchemaEntry[];
}
interface Task {
  node: Growing;
  schema: SchemaRecord;
  trail: readonly string[];
  depth: number;
}

/**
 * Converts a JSON Schema into its display tree. It works level by level, so that a limit cuts the deepest parts first;
 * recursive schemas and parts beyond the limits are folded.
 */
export function describeSchema(schema: SchemaObject, options: DescribeSchemaOptions): SchemaNode {
  const { components, maximumNodes = 150, maximumDepth = 6, renderMarkdown = createMarkdownRenderer() } = options;
  let left = maximumNodes;
  const tasks: Task[] = [];

  function grow(child: SchemaObject, place: string, trail: readonly string[], depth: number): Growing {
    left--;
    const found = resolveSchema(child, place, components, trail);
    const node: Growing = {
      ...describeAlone(found.schema, components, renderMarkdown),
      location: found.location,
      groups: [],
    };
    if (found.componentName) node.componentName = found.componentName;
    if (found.schema === true || found.schema === false || !hasParts(found.schema)) return node;
    if (found.recursive) node.folded = "recursion";
    else tasks.push({ node, schema: found.schema, trail: found.trail, depth });
    return node;
  }

  const root = grow(schema, options.location, [], 0);
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { node, depth } = task;
    const parts = getParts(task, components);
    const size = parts.reduce((sum, { entries }) => sum + entries.length, 0);
    if (depth >= maximumDepth || (size > left && node !== root)) {
      node.folded = "size";
      continue;
    }
    // Only the root is truncated rather than folded: without it there would be nothing to show.
    let shownHere = Math.max(left, 0);
    node.hiddenEntryCount = Math.max(0, size - shownHere);
    for (const { title, entries } of parts) {
      const stored = entries.slice(0, shownHere);
      shownHere -= stored.length;
      if (stored.length === 0) continue;
      const group: GrowingGroup = { title, entries: [] };
      for (const { part, ...entry } of stored)
        group.entries.push({ ...entry, node: grow(part.schema, part.location, part.trail, depth + 1) });
      node.groups.push(group);
    }
  }
  return root;
}

function describeAlone(
  schema: SchemaRecord | boolean,
  components: Components,
  renderMarkdown: RenderMarkdown,
): Omit<SchemaNode, "location" | "groups"> {
  const type = typeInWords(schema, components);
  if (typeof schema === "boolean") {
    return { type, descriptionHtml: "", marks: [], rules: [], values: [], hiddenValueCount: 0, examples: [] };
  }
  const marks: SchemaMark[] = [];
  if (schema.deprecated === true) marks.push("deprecated");
  if (schema.readOnly === true) marks.push("read only");
  if (schema.writeOnly === true) marks.push("write only");
  const exact = withExactNumbers(schema);
  const values = "const" in exact ? [exact.const] : list(exact.enum);
  const examples = "example" in exact ? [exact.example] : list(exact.examples);
  return {
    type,
    ...(text(schema.format) ? { format: schema.format as string } : {}),
    descriptionHtml: renderMarkdown(text(schema.description) ?? "", { topHeadingLevel: 5 }),
    marks,
    rules: rulesInWords(schema),
    values: values.slice(0, maximumValues).map(formatValue),
    hiddenValueCount: Math.max(0, values.length - maximumValues),
    ...("default" in exact ? { defaultValue: formatValue(exact.default) } : {}),
    examples: examples.slice(0, maximumExamples).map(formatValue),
  };
}

interface Part {
  schema: SchemaObject;
  location: string;
  trail: readonly string[];
}
interface PartEntry extends Omit<SchemaEntry, "node"> {
  part: Part;
}
interface PartGroup {
  title?: string;
  entries: PartEntry[];
}

const compositions = { allOf: "All of", oneOf: "One of", anyOf: "Any of" } as const;
const conditions = [
  ["not", "Must not be"],
  ["if", "If"],
  ["then", "Then"],
  ["else", "Else"],
] as const;
const mapsOfSchemas = ["patternProperties", "dependentSchemas"] as const;

function hasParts(schema: SchemaRecord): boolean {
  return (
    isRecord(schema.properties) ||
    Object.keys(compositions).some((keyword) => list(schema[keyword]).length > 0) ||
    [...conditions.map(([keyword]) => keyword), "items", "additionalProperties", "contains", "propertyNames"].some(
      (keyword) => isRecord(schema[keyword]),
    ) ||
    list(schema.prefixItems).length > 0 ||
    mapsOfSchemas.some((keyword) => isRecord(schema[keyword])) ||
    (isRecord(schema.discriminator) && isRecord(schema.discriminator.mapping))
  );
}

function getParts({ schema, node: { location: place }, trail }: Task, components: Components): PartGroup[] {
  const part = (value: SchemaObject, ...steps: (string | number)[]): Part => ({
    schema: value,
    location: join(place, ...steps),
    trail,
  });
  const single = (keyword: string, label: string): PartEntry[] => {
    const value = schema[keyword];
    return isRecord(value) ? [{ label, named: false, required: false, part: part(value, keyword) }] : [];
  };

  const object = getMembers(schema, place, trail, components);
  const members: PartEntry[] = [...object.members.values()].map(({ name, ...member }) => ({
    label: name,
    named: true,
    required: object.required.has(name),
    part: member,
  }));
  for (const keyword of mapsOfSchemas) {
    for (const [name, value] of Object.entries(isRecord(schema[keyword]) ? schema[keyword] : {})) {
      const label = keyword === "patternProperties" ? `names like ${name}` : `with ${name}`;
      if (isSchema(value)) members.push({ label, named: false, required: false, part: part(value, keyword, name) });
    }
  }
  members.push(
    ...single("additionalProperties", "other properties"),
    ...single("propertyNames", "property names"),
    ...list(schema.prefixItems).flatMap((value, index) =>
      isSchema(value)
        ? [{ label: `item ${index + 1}`, named: false, required: false, part: part(value, "prefixItems", index) }]
        : [],
    ),
    ...single("items", list(schema.prefixItems).length > 0 ? "other items" : "items"),
    ...single("contains", "at least one item"),
  );

  const groups: PartGroup[] = members.length > 0 ? [{ entries: members }] : [];
  for (const [keyword, title] of Object.entries(compositions)) {
    if (keyword === "allOf" && object.merged) continue;
    const entries = list(schema[keyword]).flatMap((value, index) => {
      if (!isSchema(value)) return [];
      const label = variantLabel(value, schema.discriminator, index);
      return [{ label, named: false, required: false, part: part(value, keyword, index) }];
    });
    if (entries.length > 0) groups.push({ title, entries });
  }
  const variants = inheritingVariants(schema, components).map(({ label, reference }) => ({
    label,
    named: false,
    required: false,
    part: { schema: { $ref: reference }, location: join("/components", reference), trail },
  }));
  if (variants.length > 0) groups.push({ title: "One of", entries: variants });
  for (const [keyword, title] of conditions) {
    const entries = single(keyword, "");
    if (entries.length > 0) groups.push({ title, entries });
  }
  return groups;
}

/** `cat` for `{ mapping: { cat: "#/components/schemas/Cat" } }`; else the variant's title or number. */
function variantLabel(variant: SchemaObject, discriminator: unknown, index: number): string {
  if (!isRecord(variant)) return `${index + 1}`;
  const mapping = isRecord(discriminator) && isRecord(discriminator.mapping) ? discriminator.mapping : {};
  const reference = text(variant.$ref);
  const value = Object.entries(mapping).find(
    ([, target]) =>
      typeof target === "string" && reference && (target === reference || reference.endsWith(`/${target}`)),
  );
  return value?.[0] ?? text(variant.title) ?? `${index + 1}`;
}

/** A discriminator without `oneOf` names the components that inherit from this one (3.0, "Composition and Inheritance"). */
function inheritingVariants(schema: SchemaRecord, components: Components): { label: string; reference: string }[] {
  if (list(schema.oneOf).length > 0 || list(schema.anyOf).length > 0) return [];
  const mapping = isRecord(schema.discriminator) ? schema.discriminator.mapping : undefined;
  return Object.entries(isRecord(mapping) ? mapping : {}).flatMap(([label, target]) =>
    typeof target === "string" && Object.hasOwn(components, target) ? [{ label, reference: target }] : [],
  );
}
