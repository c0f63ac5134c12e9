import type { Tone } from "~/ui/tone";
import type { JsonNode } from "./json-node";
import { childPointer, nearestPointer, pointersTo } from "./json-pointer";

export interface JsonHighlight {
  /** JSON pointer (RFC 6901); one without a target marks its nearest ancestor. */
  pointer: string;
  tone: Tone;
  /** Text next to the value, since colour alone has no meaning. */
  note?: string;
}

/** One value as displayed. */
export interface FoldedJson {
  pointer: string;
  /** Of a repeated name only the last member is the pointer's target. */
  addressable: boolean;
  key?: string;
  kind: JsonNode["kind"];
  /** A string's or literal's JSON text, possibly truncated; empty for objects and arrays. */
  text: string;
  /** Length of a truncated string in characters. */
  fullLength?: number;
  children: readonly FoldedJson[];
  /** Number of members or items, and how many of them are omitted. */
  size: number;
  hidden: number;
  open: boolean;
  highlights: readonly JsonHighlight[];
}

export interface FoldLimits {
  /** Levels that start open. */
  openLevels: number;
  /** Members or items displayed per object or array. */
  childLimit: number;
  /** Values displayed in total. */
  valueLimit: number;
  /** Characters displayed per string. */
  stringLimit: number;
}

/**
 * Selects the displayed part of a document and the open levels. Highlighted values are always displayed and open,
 * whatever the limits.
 */
export function foldJson(root: JsonNode, highlights: readonly JsonHighlight[], limits: FoldLimits): FoldedJson {
  const marks = new Map<string, JsonHighlight[]>();
  const stored = new Set<string>();
  for (const highlight of highlights) {
    const pointer = nearestPointer(root, highlight.pointer);
    marks.set(pointer, [...(marks.get(pointer) ?? []), highlight]);
    for (const step of pointersTo(pointer)) stored.add(step);
  }
  let left = limits.valueLimit;

  const fold = (node: JsonNode, pointer: string, level: number, key?: string, addressable = true): FoldedJson => {
    left--;
    const folded = {
      pointer,
      key,
      addressable,
      kind: node.kind,
      text: "",
      children: [],
      size: 0,
      hidden: 0,
      open: true,
      highlights: (addressable && marks.get(pointer)) || [],
    };
    if (node.kind === "string") return { ...folded, ...shortened(node.text, limits.stringLimit) };
    if (node.kind !== "object" && node.kind !== "array") return { ...folded, text: node.text };

    const entries = toEntries(node);
    const children: FoldedJson[] = [];
    entries.forEach((entry, index) => {
      const childPath = childPointer(pointer, entry.name);
      const isStored = entry.addressable && stored.has(childPath);
      if (!isStored && (left <= 0 || index >= limits.childLimit)) return;
      const childKey = node.kind === "object" ? String(entry.name) : undefined;
      children.push(fold(entry.node, childPath, level + 1, childKey, addressable && entry.addressable));
    });
    return {
      ...folded,
      children,
      size: entries.length,
      hidden: entries.length - children.length,
      open: level < limits.openLevels || stored.has(pointer),
    };
  };
  return fold(root, "", 0);
}

function toEntries(node: JsonNode & { kind: "object" | "array" }) {
  if (node.kind === "array") return node.items.map((item, index) => ({ name: index, node: item, addressable: true }));
  const last = new Map(node.members.map(({ key }, index) => [key, index]));
  return node.members.map((member, index) => ({
    name: member.key,
    node: member.node,
    addressable: last.get(member.key) === index,
  }));
}

function shortened(text: string, limit: number): Pick<FoldedJson, "text" | "fullLength"> {
  if (text.length <= limit) return { text: JSON.stringify(text) };
  // Half of a surrogate pair would be displayed as a broken character.
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit;
  return { text: `${JSON.stringify(text.slice(0, end)).slice(0, -1)}…"`, fullLength: text.length };
}
