import type { Json } from "../json/json.ts";
import { writeJson } from "../json/write-json.ts";

/** What distinguishes an item of a list from the others, such as its key; undefined where nothing does. */
export type Identify = (item: Json) => string | undefined;

/**
 * For each item of a list the index of the one that it was before, -1 for a new one: the one of the same identity, else an
 * equal one, else one that has no identity either and is in the same position among what is left.
 */
export function matchItems(before: readonly Json[], after: readonly Json[], identify: Identify): number[] {
  const left = new Map<string, number[]>();
  const nameOf = (item: Json) => identify(item) ?? writeJson(item);
  for (const [index, item] of before.entries()) {
    const name = nameOf(item);
    left.set(name, [...(left.get(name) ?? []), index]);
  }
  const matched = after.map((item) => left.get(nameOf(item))?.shift() ?? -1);
  const taken = new Set(matched);
  for (const [at, item] of after.entries()) {
    if (matched[at] !== -1 || identify(item) !== undefined) continue;
    const one = before[at];
    if (one === undefined || taken.has(at) || identify(one) !== undefined) continue;
    taken.add(at);
    matched[at] = at;
  }
  return matched;
}
