import type { BodyComparison } from "#contracts/test-executioner/comparisons.ts";
import type { Json } from "#libraries/json/json.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { type JsonDifference, listDifferences, writeValue } from "./json-differences.ts";

const maxDisplayed = 50;

export interface ComparedResponse {
  status: number | null;
  body: string;
}

/**
 * Differences between two responses to the same request.
 * @param passed earlier responses with which the test passed, newest first
 * @returns null if nothing differs
 */
export function compareBodies(
  before: ComparedResponse,
  after: ComparedResponse,
  passed: ComparedResponse[],
): BodyComparison | null {
  if (before.body === after.body) return null;
  const [old, current] = [readJson(before.body), readJson(after.body)];
  if (old === undefined || current === undefined) {
    const texts = { before: writeValue(before.body), after: writeValue(after.body) };
    return { differences: [{ pointer: "", ...texts }], differenceCount: 1, masked: [], hidden: [] };
  }
  const differences = listDifferences(old, current);
  if (differences.length === 0) return null;
  const volatile = findVolatile(passed);
  const lasting = differences.filter(({ pattern }) => !volatile.has(pattern));
  const hidden = differences.filter(({ pattern }) => volatile.has(pattern));
  return {
    differences: lasting.slice(0, maxDisplayed).map(toBodyDifference),
    differenceCount: lasting.length,
    masked: [...new Set(hidden.map(({ pattern }) => pattern))].sort().slice(0, maxDisplayed),
    hidden: hidden.slice(0, maxDisplayed).map(toBodyDifference),
  };
}

/**
 * Members that differed in at least half of the steps from one response to the next although the test passed: times,
 * identifiers, counters. Steps between different statuses are ignored.
 */
function findVolatile(responses: ComparedResponse[]): ReadonlySet<string> {
  const steps = responses.slice(1).flatMap((older, index) => {
    const newer = responses[index]!;
    const [from, to] = [readJson(older.body), readJson(newer.body)];
    if (older.status !== newer.status || from === undefined || to === undefined) return [];
    return [listDifferences(from, to)];
  });
  const counts = new Map<string, number>();
  for (const step of steps) {
    for (const pattern of new Set(step.map((difference) => difference.pattern))) {
      counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    }
  }
  return new Set([...counts].flatMap(([pattern, count]) => (2 * count >= steps.length ? [pattern] : [])));
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

function toBodyDifference({ pointer, before, after }: JsonDifference) {
  return {
    pointer,
    before: before === undefined ? null : writeValue(before),
    after: after === undefined ? null : writeValue(after),
  };
}
