import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import { ExactNumber, numberFromText } from "#libraries/json/exact-number.ts";
import type { Json } from "#libraries/json/json.ts";
import { isRecord, type JsonRecord, setMember } from "#libraries/json/json-value.ts";
import { type Diagnostics, quoted, refuse } from "../diagnostics.ts";
import type { ImportLimits } from "../limits.ts";
import { childPointer } from "../references/pointer.ts";
import { rememberDigits } from "./exact-numbers.ts";
import type { Lines } from "./positions.ts";

export interface YamlValues {
  value: unknown;
  nodes: number;
}

/**
 * A YAML tree as the JSON values that authors of OpenAPI expect: keys are strings as written (`200:`, `on:`), merge
 * keys (`<<`) are applied. An alias returns the same value as its anchor, but its size counts every time, so an alias
 * bomb exceeds the limit while it is still small in memory.
 */
export function toJsonValues(
  document: Document,
  file: string,
  lines: Lines,
  limits: ImportLimits,
  diagnostics: Diagnostics,
): YamlValues {
  const anchors = new Map<string, { value: unknown; nodes: number; height: number } | "open">();
  let nodes = 0;
  let aliases = 0;

  const at = (node: { range?: [number, number, number] | null } | null | undefined) => ({
    file,
    ...lines.toPosition(node?.range?.[0] ?? 0),
  });

  function count(more: number, node: Node | null): void {
    nodes += more;
    if (nodes > limits.nodes) {
      refuse(`The document has more than ${limits.nodes} values once its YAML aliases are written out.`, at(node));
    }
  }

  function convertAlias(node: Alias, depth: number): unknown {
    if (++aliases > limits.aliases)
      refuse(`The document uses YAML aliases more than ${limits.aliases} times.`, at(node));
    const known = anchors.get(node.source);
    if (known === "open") refuse(`The YAML alias *${node.source} is inside its own anchor.`, at(node));
    if (known === undefined) refuse(`There is no YAML anchor &${node.source} before this alias.`, at(node));
    if (depth + known.height > limits.depth) refuse(tooDeep(limits), at(node));
    height = Math.max(height, depth + known.height);
    count(known.nodes, node);
    return known.value;
  }

  let height = 0;
  let hasExact = false;

  function convert(node: Node | null, pointer: string, depth: number): unknown {
    if (isAlias(node)) return convertAlias(node, depth);
    if (depth > limits.depth) refuse(tooDeep(limits), at(node));
    const anchor = node && "anchor" in node ? node.anchor : undefined;
    const before = nodes;
    const outerHeight = height;
    if (anchor) {
      anchors.set(anchor, "open");
      height = 0;
    }
    count(1, node);
    height = Math.max(height, depth);
    const value = convertBody(node, pointer, depth);
    if (anchor) {
      anchors.set(anchor, { value, nodes: nodes - before, height: Math.max(0, height - depth) });
      height = Math.max(height, outerHeight);
    }
    return value;
  }

  function convertBody(node: Node | null, pointer: string, depth: number): unknown {
    if (isScalar(node)) {
      const value = scalarValue(node, at);
      hasExact ||= value instanceof ExactNumber;
      return value;
    }
    if (isSeq(node)) {
      return node.items.map((item, index) => convert(item as Node | null, childPointer(pointer, index), depth + 1));
    }
    return isMap(node) ? convertMap(node.items as Pair<Node, Node | null>[], pointer, depth) : null;
  }

  function convertMap(pairs: Pair<Node, Node | null>[], pointer: string, depth: number): JsonRecord {
    const record: JsonRecord = {};
    const merged: unknown[] = [];
    for (const pair of pairs) {
      const key = toKey(pair.key);
      if (key === "<<" && isScalar(pair.key) && pair.key.type === "PLAIN") {
        const source = convert(pair.value, childPointer(pointer, key), depth + 1);
        merged.push(...(Array.isArray(source) ? source : [source]));
        continue;
      }
      const own = childPointer(pointer, key);
      if (Object.hasOwn(record, key)) {
        diagnostics.add({
          severity: "warning",
          message: `${quoted(key)} is given twice in this object; only the last one is used. Remove one of them.`,
          inGeneral: "A name is given twice in one object; only the last one is used. Remove one of them.",
          at: { pointer: own, ...at(pair.key) },
        });
      }
      setMember(record, key, convert(pair.value, own, depth + 1));
    }
    for (const source of merged) {
      if (!isRecord(source)) continue;
      const keys = Object.keys(source);
      count(keys.length, null);
      for (const key of keys) if (!Object.hasOwn(record, key)) setMember(record, key, source[key]);
    }
    return record;
  }

  function toKey(key: Node | null): string {
    if (key === null) return "null";
    if (isScalar(key)) return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
    if (isAlias(key)) {
      const named = anchors.get(key.source);
      if (named && named !== "open" && typeof named.value !== "object") return String(named.value);
    }
    return refuse("A key has to be a plain word or text here, not a list or an object.", at(key));
  }

  const value = convert(document.contents as Node | null, "", 0);
  return { value: hasExact ? rememberDigits(value as Json) : value, nodes };
}

function tooDeep(limits: ImportLimits): string {
  return `The document is nested deeper than ${limits.depth} levels here.`;
}

/** An integer that a double may round. */
const isLong = /^[-+]?[1-9]\d{15,}$/;

function scalarValue(node: Scalar, at: (node: Scalar) => { file: string; line: number; column: number }): unknown {
  const { value } = node;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(`${quoted(node.source ?? String(value))} is no number JSON knows.`, at(node));
    return isLong.test(node.source ?? "") ? numberFromText(node.source!.replace(/^\+/, "")) : value;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return node.source ?? String(value);
}
