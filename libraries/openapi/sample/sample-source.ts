import { getMember, isRecord, toList } from "../../json/json-value.ts";

/** The components of a document, by `$ref`. */
export interface SampleSource {
  find(reference: string): unknown;
}

export type Direction = "request" | "response";

const maxParts = 50;

/** Whether a schema is never sent in this direction: it says so itself, or a component or part of `allOf` that it is. */
export function isHiddenIn(direction: Direction, schema: unknown, source: SampleSource): boolean {
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  if (getMember(schema, hidden) === true) return true;
  // Asked of every member of every object.
  if (getMember(schema, "$ref") === undefined && getMember(schema, "allOf") === undefined) return false;
  const waiting = [schema];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && seen.size < maxParts) {
    const part = waiting.pop();
    if (!isRecord(part) || seen.has(part)) continue;
    seen.add(part);
    if (getMember(part, hidden) === true) return true;
    const reference = getMember(part, "$ref");
    if (typeof reference === "string") waiting.push(source.find(reference));
    waiting.push(...toList(getMember(part, "allOf")));
  }
  return false;
}
