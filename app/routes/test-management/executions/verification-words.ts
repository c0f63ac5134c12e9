import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { AssertionSource, CheckName, Comparison } from "#contracts/test-registry/assertions.ts";
import { isJsonObject, type Json } from "#libraries/json/json.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { comparisonWords, sourceWords } from "~/features/test-editor/assertion-words";
import { checkWords } from "~/features/test-editor/check-words";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

type Outcome = Verification["outcome"];

export const outcomeWords: Record<Outcome, { word: string; tone: Tone; icon: IconName }> = {
  failed: { word: "Failed", tone: "danger", icon: "cross" },
  errored: { word: "Not evaluated", tone: "warning", icon: "warning" },
  skipped: { word: "Not applicable", tone: "neutral", icon: "minus" },
  passed: { word: "Passed", tone: "success", icon: "check" },
};

const order: Outcome[] = ["failed", "errored", "skipped", "passed"];

/** Verifications that need attention come first; otherwise the test's order is kept. */
export function worstFirst(verifications: readonly Verification[]): Verification[] {
  return [...verifications].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

/** "1 failed, 3 passed" */
export function outcomeCounts(verifications: readonly Verification[]): string {
  return order
    .map(
      (outcome) => [verifications.filter((one) => one.outcome === outcome).length, outcomeWords[outcome].word] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word.toLowerCase()}`)
    .join(", ");
}

/** A verification, named as in the test editor: `JSONPath $.price is greater than 0`. */
export function verificationTitle(verification: Verification): string {
  const { kind, source, property, comparison } = verification;
  if (kind === "check") return checkWords[source as CheckName]?.label ?? source;
  const subject = sourceWords[source as AssertionSource]?.label ?? source;
  // The only comparison with a schema that the editor offers.
  if (source === "schema") return subject;
  const compared = comparisonWords[comparison as Comparison]?.label ?? comparison;
  const target = verification.target === undefined ? undefined : joinJson(verification.target, verification.targetJson);
  const displayed =
    comparison === "matchesSchema" || target === undefined ? undefined : valueInWords(target, comparison);
  return [subject, property, compared, displayed].filter(Boolean).join(" ");
}

/** A value in prose: several as a list, the two ends of a range with "and" between them. */
function valueInWords(value: Json, comparison?: string): string {
  const isPlain =
    Array.isArray(value) && value.length > 0 && value.every((one) => !isJsonObject(one) && !Array.isArray(one));
  if (!isPlain) return shortJson(value);
  const items = (value as Json[]).map((one) => shortJson(one));
  if (comparison === "within")
    return (value as Json[]).map((one) => (typeof one === "string" ? one : shortJson(one))).join(" of ");
  return comparison === "between" ? items.join(" and ") : items.join(", ");
}

/** JSON on one line; text in quotes, so that `"12"` and `12` look different. */
export function shortJson(value: Json | undefined, length = 120): string {
  return shorten(value === undefined ? "nothing" : writeJson(value), length);
}
