import type { BodyComparison, ComparedMember } from "#contracts/test-executioner/comparisons.ts";

type Outcome = Pick<ComparedMember, "verdict" | "statusCode" | "responseMilliseconds">;

/** Times differ from run to run; only a noticeable multiple is reported. */
const factor = 2;
const leastMilliseconds = 100;

export function listChanges(before: Outcome, after: Outcome, body: BodyComparison | null): ComparedMember["changes"] {
  const changes: ComparedMember["changes"] = [];
  if (before.verdict !== after.verdict) changes.push("verdict");
  if (isOtherStatus(before.statusCode, after.statusCode)) changes.push("statusCode");
  if (isOtherTime(before.responseMilliseconds, after.responseMilliseconds)) changes.push("time");
  if (body && body.differenceCount > 0) changes.push("body");
  return changes;
}

/** A missing response is reported by the verdict. */
function isOtherStatus(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && before !== after;
}

function isOtherTime(before: number | null, after: number | null): boolean {
  if (before === null || after === null) return false;
  const [shorter, longer] = [Math.min(before, after), Math.max(before, after)];
  return longer >= factor * shorter && longer - shorter >= leastMilliseconds;
}
