import { equalJson } from "#libraries/json/compare-json.ts";
import { isJsonObject, type Json } from "#libraries/json/json.ts";
import { writeJson } from "#libraries/json/write-json.ts";

/** A member that differs between two JSON values; undefined where it is missing. */
export interface JsonDifference {
  /** JSON pointer (RFC 6901). */
  pointer: string;
  /** The same with `*` for every index, so that it means the member of each item. */
  pattern: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** Beyond this, two values are simply different; more details help no reader. */
const maxDifferences = 1_000;

/** Differences between two values, by the innermost members that differ. */
export function listDifferences(before: Json, after: Json): JsonDifference[] {
  const found: JsonDifference[] = [];
  walk({ pointer: "", pattern: "", before, after }, found);
  return found;
}

function walk(pair: JsonDifference, found: JsonDifference[]): void {
  const { before, after } = pair;
  if (found.length >= maxDifferences) return;
  if (before === undefined || after === undefined) return void found.push(pair);
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      walk(inside(pair, String(index), "*", before[index], after[index]), found);
    }
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
      walk(inside(pair, step, step, getMember(before, name), getMember(after, name)), found);
    }
  } else if (!equalJson(before, after)) found.push(pair);
}

function inside(
  { pointer, pattern }: JsonDifference,
  step: string,
  patternStep: string,
  before: Json | undefined,
  after: Json | undefined,
): JsonDifference {
  return { pointer: `${pointer}/${step}`, pattern: `${pattern}/${patternStep}`, before, after };
}

function getMember(value: { [key: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

const maxCharacters = 200;

/** A value as JSON, truncated if long. */
export function writeValue(value: Json): string {
  const text = writeJson(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
