import { ExactNumber } from "../../json/exact-number.ts";
import { getMember, toList } from "../../json/json-value.ts";
import { listSchemaParts } from "../schema-parts.ts";
import { listSchemasOf } from "./check-object.ts";
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
  if (typeof value !== "object" || value === null || value instanceof ExactNumber || depth > maxDepth) return value;
  // A member that any alternative hides is none to send.
  const all = listSchemaParts(schemas, source, { alternatives: true });
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      strip(
        item,
        all.flatMap((schema) => getItemSchemas(schema, index)),
        direction,
        source,
        depth + 1,
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const own = all.flatMap((schema) => listSchemasOf(name, schema));
      if (own.some((schema) => isHiddenIn(direction, schema, source))) return [];
      return [[name, strip(member, own, direction, source, depth + 1)]];
    }),
  );
}

function getItemSchemas(schema: unknown, index: number): unknown[] {
  const items = getMember(schema, "items");
  // Up to 2019-09 `items` may be a list of schemas by position.
  const prefixes = Array.isArray(items) ? items : toList(getMember(schema, "prefixItems"));
  return index < prefixes.length ? [prefixes[index]] : Array.isArray(items) ? [] : [items];
}
