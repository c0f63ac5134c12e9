import { getMember } from "../../json/json-value.ts";

/** The components of a document, by `$ref`. */
export interface SampleSource {
  find(reference: string): unknown;
}

export type Direction = "request" | "response";

/** Whether a schema, or the component that it refers to, is never sent in this direction. */
export function isHiddenIn(direction: Direction, schema: unknown, source: SampleSource): boolean {
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  let found = schema;
  for (let hops = 0; hops < 10; hops += 1) {
    if (getMember(found, hidden) === true) return true;
    const reference = getMember(found, "$ref");
    if (typeof reference !== "string") return false;
    found = source.find(reference);
  }
  return false;
}
