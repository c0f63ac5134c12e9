import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import { isLinearPath, isSingularPath } from "./assertion/find-value.ts";
import type { ItemToJudge, JudgedOperation } from "./judged-response.ts";

/** Characters. Parsing a body of this length takes well under a millisecond. */
const largestCheapBody = 32_768;
/** Characters. Registering secrets of this total length takes as long. */
const mostCheapSecrets = 16_384;
/** Characters visited: some milliseconds at worst. */
const mostCheapSteps = 262_144;
/** Cost of one character relative to a plain comparison. */
const costWithSecrets = 4;
const costOfLinearPath = 16;
const longestCheapPattern = 100;
const mebibyte = 1_048_576;

/** Of the part of an item that is judged. */
export function getBodyLength({ whole, response }: ItemToJudge): number {
  return whole?.length ?? response.body?.length ?? 0;
}

/** A large body is judged alone: it takes that much more memory and time. */
export function isLarge(item: ItemToJudge): boolean {
  return getBodyLength(item) > mebibyte;
}

/** Limit of one evaluation: 250 ms, and in proportion for a body above 1 MiB. */
export function getEvaluationMilliseconds(item: ItemToJudge): number {
  return Math.ceil(250 * Math.max(1, getBodyLength(item) / mebibyte));
}

type Asked = Pick<Assertion, "source" | "property">;

/**
 * Whether judging may take longer than the thread that serves requests can spare. All other items are cheap for any
 * response, since the characters that they visit were counted: numbers, names, and locations in a small body.
 */
export function isCostly(item: ItemToJudge, operation: JudgedOperation | undefined): boolean {
  if (
    operation !== undefined &&
    item.checks.some((name) => name === "response_schema_conformance" || name === "response_headers_conformance")
  )
    return true;
  const secrets = (item.secrets ?? []).reduce((sum, { secret }) => sum + secret.length, 0);
  if (secrets > mostCheapSecrets) return true;
  const { headers, url } = item.response;
  const lengths = {
    body: getBodyLength(item),
    headers: headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0),
    url: url.length,
  };
  let steps = 0;
  for (const assertion of item.assertions) steps += stepsOfAssertion(assertion, lengths);
  for (const capture of item.captures) steps += stepsOfCapture(capture, lengths);
  return steps * (secrets > 0 ? costWithSecrets : 1) > mostCheapSteps;
}

interface Lengths {
  body: number;
  headers: number;
  url: number;
}

function stepsOfAssertion(assertion: Assertion, lengths: Lengths): number {
  const { source, property, comparison, target, targetJson = "" } = assertion;
  if (source === "schema" || comparison === "matchesSchema") return Number.POSITIVE_INFINITY;
  if (source === "body" && (comparison === "exists" || comparison === "notExists")) return 0;
  const isPattern = comparison === "matches" || comparison === "notMatches";
  const compared = isPattern
    ? stepsOfPattern(target, lengthOfSource(source, lengths))
    : countCharacters(target) + targetJson.length;
  return stepsOfFinding({ source, property }, lengths) + compared;
}

function stepsOfCapture({ source, property, pattern, secret }: Capture, lengths: Lengths): number {
  // The whole body becomes a secret to redact.
  if (secret && source === "body" && !property && lengths.body > largestCheapBody) return Number.POSITIVE_INFINITY;
  if (source === "body" && property) return stepsOfPattern(property, lengths.body);
  return stepsOfFinding({ source, property }, lengths) + stepsOfPattern(pattern, lengthOfSource(source, lengths));
}

function lengthOfSource(source: Asked["source"], { body, headers, url }: Lengths): number {
  if (source === "body" || source === "jsonPath") return body;
  if (source === "header" || source === "cookie") return headers;
  return source === "url" ? url : 0;
}

function stepsOfFinding({ source, property = "" }: Asked, lengths: Lengths): number {
  const length = lengthOfSource(source, lengths);
  if (source === "xPath") return Number.POSITIVE_INFINITY;
  if (source !== "jsonPath") return length;
  if (length > largestCheapBody) return Number.POSITIVE_INFINITY;
  if (isSingularPath(property)) return length;
  return isLinearPath(property) ? length * costOfLinearPath : Number.POSITIVE_INFINITY;
}

/**
 * Braces make a short pattern long: `a{1000}`, `\p{L}`. Without them the compiled program is about as long as the
 * pattern.
 */
function stepsOfPattern(pattern: unknown, length: number): number {
  if (typeof pattern !== "string") return 0;
  if (pattern.length > longestCheapPattern || pattern.includes("{")) return Number.POSITIVE_INFINITY;
  return length * pattern.length;
}

/** Characters in an assertion's target, counted no further than matters. */
function countCharacters(target: unknown): number {
  let count = 0;
  const waiting = [target];
  while (waiting.length > 0 && count <= mostCheapSteps) {
    const value = waiting.pop();
    count += 8;
    if (typeof value === "string") count += value.length;
    else if (Array.isArray(value)) waiting.push(...value.slice(0, mostCheapSteps / 8));
    else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        count += name.length;
        waiting.push(member);
      }
    }
  }
  return count;
}
