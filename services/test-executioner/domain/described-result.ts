import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import { getReason } from "./reason.ts";
import { describeWait } from "./waited.ts";

/** How a member ended, in the sentences that lists and reports display; null for a plain pass. */
export function describeResult({ waitUntil }: Pick<TestInput, "waitUntil">, result: TestResult): string | null {
  const { verdict, cause, verifications } = result;
  const why = verdict === "skipped" ? cause?.detail : getReason(verdict, cause, verifications);
  return [describeWait(waitUntil, result), why].filter(Boolean).join(" ") || null;
}
