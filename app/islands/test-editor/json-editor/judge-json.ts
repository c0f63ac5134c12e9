import { type Node, parseTree } from "jsonc-parser";
import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { count, isRecord, isSchema, list, resolveSchema, type SchemaRecord } from "~/features/schema-view/read-schema";
import { findJsonFaults, withoutVariables } from "~/features/test-editor/json-fault";
import { getTypes, type JsonSchema } from "./schema-steps.ts";

export interface JsonDiagnostic {
  from: number;
  to: number;
  message: string;
  /** `syntax`: not JSON; `schema`: JSON that violates the schema. */
  kind: "syntax" | "schema";
}

const deepest = 60;

/**
 * Problems of a JSON text for its author: syntax first, then the schema. It checks types, names, enumerations and
 * bounds, and accepts everything else, since the server validates in full.
 */
export function judgeJson(source: string, root: JsonSchema | undefined): JsonDiagnostic[] {
  const errors = findJsonFaults(source);
  if (errors.length > 0) {
    return errors.map(({ offset, length, reason }) => ({
      from: offset,
      to: Math.max(offset + length, Math.min(offset + 1, source.length)),
      message: `Not JSON: ${reason}`,
      kind: "syntax",
    }));
  }
  const node = root && parseTree(withoutVariables(source));
  return node ? judge(node, root.schema, { source, components: root.components, known: new Map() }, 0) : [];
}

interface World {
  source: string;
  components: JsonSchema["components"];
  /** Results per value and schema (by its reference, if it has one): combinations repeat the same checks. */
  known: Map<Node, Map<unknown, JsonDiagnostic[]>>;
}

function judge(node: Node, schema: SchemaObject, world: World, depth: number): JsonDiagnostic[] {
  const ofNode = world.known.get(node) ?? new Map<unknown, JsonDiagnostic[]>();
  world.known.set(node, ofNode);
  const key = isRecord(schema) && Object.keys(schema).length === 1 ? (schema.$ref ?? schema) : schema;
  const known = ofNode.get(key);
  if (known) return known;
  // Requested again while in progress, it is a circular reference, which adds nothing.
  ofNode.set(key, []);
  const diagnostics = withoutRepetitions(judgeAnew(node, schema, world, depth));
  ofNode.set(key, diagnostics);
  return diagnostics;
}

function withoutRepetitions(diagnostics: JsonDiagnostic[]): JsonDiagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.from} ${one.to} ${one.message}`, one])).values()];
}

function judgeAnew(node: Node, schema: SchemaObject, world: World, depth: number): JsonDiagnostic[] {
  const written = world.source.slice(node.offset, node.offset + node.length);
  // A variable may become any value, and so may a text that contains one.
  if (depth > deepest || (node.type !== "object" && node.type !== "array" && written.includes("{{"))) return [];
  const { schema: resolved } = resolveSchema(schema, "", world.components);
  if (resolved === false) return [diagnostic(node, "Unexpected text")];
  if (resolved === true) return [];

  const all = list(resolved.allOf).filter(isSchema);
  const diagnostics = all.flatMap((part) => judge(node, part, world, depth + 1));
  for (const keyword of ["anyOf", "oneOf"]) {
    const alternatives = list(resolved[keyword]).filter(isSchema);
    const judged = alternatives.map((part) => judge(node, part, world, depth + 1));
    if (alternatives.length === 1) diagnostics.push(...judged[0]!);
    else if (judged.length > 0 && judged.every((one) => one.length > 0)) {
      diagnostics.push(diagnostic(node, `Matches none of the ${alternatives.length} alternatives`));
    }
  }
  const types = getTypes(resolved);
  const type = node.type === "property" ? "object" : node.type;
  if (types.length > 0 && !types.some((allowed) => fitsType(node, allowed))) {
    return [...diagnostics, diagnostic(node, `Expected ${types.join(" or ")}, not ${type}`)];
  }
  return [...diagnostics, ...judgeValue(node, resolved), ...judgeMembers(node, resolved, world, depth)];
}

function fitsType(node: Node, type: string): boolean {
  if (type === "integer") return node.type === "number" && Number.isInteger(node.value);
  return node.type === type;
}

function judgeValue(node: Node, schema: SchemaRecord): JsonDiagnostic[] {
  if (node.type === "object" || node.type === "array") return [];
  const allowed = "const" in schema ? [schema.const] : list(schema.enum);
  if (allowed.length > 0 && !allowed.includes(node.value)) {
    const displayed = allowed.slice(0, 8).map((value) => JSON.stringify(value));
    return [diagnostic(node, `Expected ${displayed.join(", ")}${allowed.length > 8 ? " or others" : ""}`)];
  }
  if (node.type === "number") return judgeBounds(node, schema);
  if (node.type !== "string") return [];
  const length = [...String(node.value)].length;
  const [least, max] = [count(schema.minLength), count(schema.maxLength)];
  if (least !== undefined && length < least) return [diagnostic(node, `Expected a length of at least ${least}`)];
  return max !== undefined && length > max ? [diagnostic(node, `Expected a length of at most ${max}`)] : [];
}

/** `exclusiveMinimum` is a flag up to 3.0 and a number since 3.1. */
function judgeBounds(node: Node, schema: SchemaRecord): JsonDiagnostic[] {
  const value = node.value as number;
  const least = count(schema.minimum);
  const max = count(schema.maximum);
  const above = schema.exclusiveMinimum === true ? least : count(schema.exclusiveMinimum);
  const below = schema.exclusiveMaximum === true ? max : count(schema.exclusiveMaximum);
  if (above !== undefined && value <= above) return [diagnostic(node, `Expected more than ${above}`)];
  if (below !== undefined && value >= below) return [diagnostic(node, `Expected less than ${below}`)];
  if (least !== undefined && value < least) return [diagnostic(node, `Expected at least ${least}`)];
  return max !== undefined && value > max ? [diagnostic(node, `Expected at most ${max}`)] : [];
}

function judgeMembers(node: Node, schema: SchemaRecord, world: World, depth: number): JsonDiagnostic[] {
  const children = node.children ?? [];
  if (node.type === "array") return judgeItems(node, schema, world, depth);
  if (node.type !== "object") return [];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const members = new Map(children.map(({ children: [key, value] = [] }) => [String(key?.value), { key, value }]));
  const missing = list(schema.required).filter(
    (name): name is string => typeof name === "string" && !members.has(name),
  );
  const diagnostics = missing
    .filter((name) => !isReadOnly(properties[name], world))
    .map((name) => ({ ...diagnostic(node, `${name} is missing`), to: node.offset + 1 }));
  // The schema's patterns could be built to take for ever: members that they could allow are accepted.
  const closed = schema.additionalProperties === false && schema.patternProperties === undefined;
  for (const [name, { key, value }] of members) {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (described !== undefined && isSchema(described) && value)
      diagnostics.push(...judge(value, described, world, depth + 1));
    else if (closed && key) diagnostics.push(diagnostic(key, `${name} is not among the documented properties`));
    else if (isRecord(schema.additionalProperties) && value && schema.patternProperties === undefined) {
      diagnostics.push(...judge(value, schema.additionalProperties, world, depth + 1));
    }
  }
  return diagnostics;
}

function judgeItems(node: Node, schema: SchemaRecord, world: World, depth: number): JsonDiagnostic[] {
  const children = node.children ?? [];
  const [least, max] = [count(schema.minItems), count(schema.maxItems)];
  const placed = list(schema.prefixItems);
  return [
    ...(least !== undefined && children.length < least ? [diagnostic(node, `Expected at least ${least} items`)] : []),
    ...(max !== undefined && children.length > max ? [diagnostic(node, `Expected at most ${max} items`)] : []),
    ...children.flatMap((child, index) => {
      const item = placed[index] ?? schema.items;
      return isSchema(item) ? judge(child, item, world, depth + 1) : [];
    }),
  ];
}

function isReadOnly(schema: unknown, { components }: World): boolean {
  if (!isSchema(schema)) return false;
  const { schema: resolved } = resolveSchema(schema, "", components);
  return isRecord(resolved) && resolved.readOnly === true;
}

function diagnostic({ offset, length }: Node, message: string): JsonDiagnostic {
  return { from: offset, to: offset + length, message, kind: "schema" };
}
