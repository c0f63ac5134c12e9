import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";

/** Sources that the API determines; a single time or size is no promise. */
const sources: readonly string[] = [
  "statusCode",
  "header",
  "body",
  "bodySha256",
  "charset",
  "jsonPath",
  "xPath",
  "cookie",
  "url",
];
/** The actual date of these differs from one response to the next. */
const dates: readonly string[] = ["before", "after", "within"];
/** Longer values are stored shortened, so the expectation would be incomplete. */
const maxCharacters = 1_000;

/**
 * The assertion that expects the actual value; undefined where that would be no promise, or where the exact value is
 * unknown.
 */
export function acceptedAssertion(verification: Verification): Assertion | undefined {
  const { kind, outcome, property, comparison, actual, actualJson } = verification;
  const source = verification.source as Assertion["source"];
  if (kind !== "assertion" || outcome !== "failed" || comparison === "matchesSchema") return undefined;
  if (dates.includes(comparison ?? "")) return undefined;
  if (!sources.includes(source)) return undefined;
  const requested = property === undefined ? { source } : { source, property };
  if (actual === undefined) {
    return source === "body" || source === "url" ? undefined : { ...requested, comparison: "notExists" };
  }
  const written = actualJson ?? JSON.stringify(actual);
  if (written.length > maxCharacters || /\[secret\]|\[withheld:|…/.test(written)) return undefined;
  // Text that looks like a variable would be substituted.
  if (written.includes("{{")) return undefined;
  return {
    ...requested,
    comparison: "equals",
    target: actual,
    ...(actualJson === undefined ? {} : { targetJson: actualJson }),
  };
}

/** Whether a test's assertion is the evaluated one: neither changed since nor filled in by variables. */
export function isSameAssertion(assertion: Assertion, judged: Verification): boolean {
  return (
    judged.kind === "assertion" &&
    assertion.source === judged.source &&
    assertion.comparison === judged.comparison &&
    assertion.property === judged.property &&
    JSON.stringify(assertion.target) === JSON.stringify(judged.target) &&
    assertion.targetJson === judged.targetJson
  );
}
