import { type JsonRecord, toList } from "../../json/json-value.ts";
import { isWithin } from "./check-scalar.ts";
import type { NestedCheck } from "./sample-fault.ts";

export function checkArray(items: unknown[], schema: JsonRecord, { report, check, isValid }: NestedCheck): void {
  if (!isWithin(items.length, schema.minItems, schema.maxItems)) report("items");
  const isOldTuple = Array.isArray(schema.items);
  const tuple = toList(isOldTuple ? schema.items : schema.prefixItems);
  const rest = isOldTuple ? schema.additionalItems : schema.items;
  for (const [index, item] of items.entries()) check(item, index < tuple.length ? tuple[index] : rest, index);
  if (schema.contains !== undefined) {
    const count = items.filter((item) => isValid(item, schema.contains)).length;
    if (!isWithin(count, schema.minContains ?? 1, schema.maxContains)) report("contains");
  }
  if (schema.uniqueItems === true && new Set(items.map(canonical)).size < items.length) report("uniqueItems");
}

/** Equal for equal values, whatever the order of their members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
