import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import { nameInRow } from "#libraries/template/placeholders.ts";

/**
 * Whether a test gave all values that it captures. Captures of a refusal are no values that later members can use.
 */
export function gaveValues(
  { captures }: Pick<TestInput, "captures">,
  { captures: found, statusCode }: Pick<TestResult, "captures" | "statusCode">,
): boolean {
  const given = new Set(found.flatMap(({ name, isAbsent }) => (isAbsent ? [] : [name])));
  const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return isSuccess && captures.length > 0 && captures.every(({ name }) => given.has(name));
}

/** The test with the names under which this row captures: a capture may have a name of its own in each row. */
export function withNamesOfRow<One extends Pick<Test, "captures">>(test: One, rowIndex: number | null): One {
  if (!test.captures.some(({ name }) => name.endsWith("#"))) return test;
  return { ...test, captures: test.captures.map((one) => ({ ...one, name: nameInRow(one.name, rowIndex) })) };
}
