import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";
import type { Verification } from "../../../../services/test-analyzer/contract/verifications.ts";

type Outcome = Verification["outcome"];

export const outcomeWords: Record<Outcome, { word: string; tone: Tone; icon: IconName }> = {
  failed: { word: "Failed", tone: "danger", icon: "cross" },
  errored: { word: "Not judged", tone: "warning", icon: "warning" },
  skipped: { word: "Not applicable", tone: "neutral", icon: "minus" },
  passed: { word: "Passed", tone: "success", icon: "check" },
};

const order: Outcome[] = ["failed", "errored", "skipped", "passed"];

/** What needs attention stands on top; otherwise the order of the test is kept. */
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

const comparisonWords: Record<string, string> = {
  equals: "is",
  notEquals: "is not",
  lessThan: "is less than",
  lessThanOrEqual: "is at most",
  greaterThan: "is greater than",
  greaterThanOrEqual: "is at least",
  between: "is between",
  contains: "contains",
  notContains: "does not contain",
  oneOf: "is one of",
  noneOf: "is none of",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches",
  notMatches: "does not match",
  exists: "exists",
  notExists: "does not exist",
  isNull: "is null",
  isNotNull: "is not null",
  isEmpty: "is empty",
  isNotEmpty: "is not empty",
  hasType: "has the type",
  lengthEquals: "has the length",
  lengthLessThan: "is shorter than",
  lengthGreaterThan: "is longer than",
  matchesSchema: "fits the schema",
};

const sourceWords: Record<string, string> = {
  statusCode: "Status code",
  header: "Header",
  body: "Body",
  jsonPath: "JSON",
  schema: "Body",
  responseTime: "Response time",
  bodySize: "Body size",
  cookie: "Cookie",
  certificate: "Days left on the certificate",
  url: "Address after redirects",
};

/** What is verified, as a person would say it: `JSON $.price is greater than 0`. */
export function verificationTitle({ kind, source, property, comparison, target }: Verification): string {
  if (kind === "check") return capitalized(source.replaceAll("_", " "));
  const words = [sourceWords[source] ?? source, property, comparisonWords[comparison ?? ""] ?? comparison];
  const shown = comparison === "matchesSchema" || target === undefined ? undefined : valueInWords(target, comparison);
  return [...words, shown].filter(Boolean).join(" ");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value as people write it: several as a list, the two ends of a range with "and" between them. */
function valueInWords(value: unknown, comparison?: string): string {
  const isPlain = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== "object");
  if (!isPlain) return shortJson(value);
  const items = (value as unknown[]).map((one) => shortJson(one));
  return comparison === "between" ? items.join(" and ") : items.join(", ");
}

/** JSON on one line; text in quotes, so that `"12"` and `12` look different. */
export function shortJson(value: unknown, length = 120): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
