import { getMember } from "../../json/json-value.ts";
import { listSchemaParts } from "../schema-parts.ts";
import { type Direction, isHiddenIn, type SampleSource } from "./sample-source.ts";

const maxDepth = 50;

/** A documented value without the members that are never sent in this direction, such as `readOnly` ones in requests. */
export function withoutHidden(value: unknown, schema: unknown, direction: Direction, source: SampleSource): unknown {
  return strip(value, [schema], direction, source, 0);
}

function strip(
  value: unknown,
  schemas: readonly unknown[],
  direction: Direction,
  source: SampleSource,
  depth: number,
): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  const all = listSchemaParts(schemas, source);
  if (Array.isArray(value)) {
    const items = all.map((schema) => getMember(schema, "items"));
    return value.map((item) => strip(item, items, direction, source, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const own = all.map((schema) => getMember(getMember(schema, "properties"), name));
      if (own.some((schema) => isHiddenIn(direction, schema, source))) return [];
      return [[name, strip(member, own, direction, source, depth + 1)]];
    }),
  );
}
