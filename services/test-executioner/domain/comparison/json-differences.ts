import { isJsonObject, type Json, OutsizeNumber } from "#libraries/json/json.ts";

/** A member of two JSON values that is not the same in both; undefined where it is not there. */
export interface JsonDifference {
  /** JSON pointer (RFC 6901). */
  pointer: string;
  /** The same with `*` for every index, so that it means the member of each item. */
  pattern: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** Beyond it two values are simply different; nobody reads on. */
const mostDifferences = 1_000;

/** Where two values differ, by the innermost members that do. */
export function listDifferences(before: Json, after: Json): JsonDifference[] {
  const found: JsonDifference[] = [];
  walk({ pointer: "", pattern: "", before, after }, found);
  return found;
}

function walk(pair: JsonDifference, found: JsonDifference[]): void {
  const { before, after } = pair;
  if (found.length >= mostDifferences) return;
  if (before === undefined || after === undefined) return void found.push(pair);
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      walk(inside(pair, String(index), "*", before[index], after[index]), found);
    }
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
      walk(inside(pair, step, step, memberOf(before, name), memberOf(after, name)), found);
    }
  } else if (!isSame(before, after)) found.push(pair);
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

function memberOf(value: { [key: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Of values that are not both lists or both objects. */
function isSame(one: Json, other: Json): boolean {
  if (one instanceof OutsizeNumber && other instanceof OutsizeNumber) return one.text === other.text;
  return one === other;
}

const mostCharacters = 200;

/** A value as JSON, cut where it is long. */
export function writeValue(value: Json): string {
  const text = isLargeNumber(value) ? textOf(value) : JSON.stringify(value, writeInside);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

function isLargeNumber(value: unknown): value is bigint | OutsizeNumber {
  return typeof value === "bigint" || value instanceof OutsizeNumber;
}

function textOf(value: bigint | OutsizeNumber): string {
  return value instanceof OutsizeNumber ? value.text : String(value);
}

/** Within a list or object a large number is shown as a text: JSON.stringify knows no other way to keep its digits. */
function writeInside(_: string, value: unknown): unknown {
  return isLargeNumber(value) ? textOf(value) : value;
}
