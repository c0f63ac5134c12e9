import { isSingularPath } from "./assertion/find-value.ts";
import type { ItemToJudge } from "./judge-response.ts";
import type { JudgedOperation } from "./judged-response.ts";

/** Parsing a body of this many characters takes well under a millisecond. */
const largestCheapBody = 32_768;
/** As long takes knowing that many characters of secrets. */
const mostCheapSecrets = 16_384;

function lengthOfSecrets({ secrets = [] }: ItemToJudge): number {
  return secrets.reduce((sum, { secret }) => sum + secret.length, 0);
}

/**
 * Whether judging may take longer than the thread that serves requests can spare. What is left is cheap whatever was
 * sent: numbers, names, and places in a small body.
 */
export function isCostly(item: ItemToJudge, operation: JudgedOperation | undefined): boolean {
  const bodyIsLarge = (item.response.body?.length ?? 0) > largestCheapBody;
  const isCostlyPath = (path: string | undefined) => bodyIsLarge || !isSingularPath(path ?? "");
  return (
    item.assertions.some(
      ({ source, property, comparison }) =>
        comparison === "matches" ||
        comparison === "notMatches" ||
        comparison === "matchesSchema" ||
        source === "schema" ||
        (source === "jsonPath" && isCostlyPath(property)),
    ) ||
    item.captures.some(
      ({ source, property, secret }) =>
        (source === "jsonPath" && isCostlyPath(property)) || (source === "body" && secret && bodyIsLarge),
    ) ||
    lengthOfSecrets(item) > mostCheapSecrets ||
    (operation !== undefined &&
      item.checks.some((name) => name === "response_schema_conformance" || name === "response_headers_conformance"))
  );
}
