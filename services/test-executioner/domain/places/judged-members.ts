import type { ExecutionVerdict, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { PlaceRule } from "#contracts/test-registry/circle-places.ts";
import { isFailure, worstVerdict } from "../verdict.ts";
import { getPositionInSeries, isReached, type PlacedExecution } from "./judged-places.ts";

export interface PlacedMember extends PlacedExecution {
  position: number;
  /** Whether the API was available; undefined if it was not requested. */
  isAvailable: boolean | undefined;
}

/** What the executions of a member come to, one from each place. */
export interface MemberOutcome<Member extends PlacedMember> {
  /** The first of them. */
  member: Member;
  verdict: ExecutionVerdict;
  isAvailable: boolean | undefined;
}

/**
 * Members of a run from several places, each counted once: as the worst of its executions. Failures count as passed if
 * its test does not fail by the rule. The API was unavailable if it was so
 * from as many places as the rule says. Members that were cancelled everywhere are absent.
 * @param verdicts of tests, by the rule
 */
export function judgeMembers<Member extends PlacedMember>(
  rule: PlaceRule,
  verdicts: ReadonlyMap<string, Verdict | null>,
  executions: readonly Member[],
  seriesSize: number | null,
): MemberOutcome<Member>[] {
  const members = new Map<number, [Member, ...Member[]]>();
  for (const execution of executions) {
    const position = getPositionInSeries(execution.position, seriesSize);
    const known = members.get(position);
    if (known) known.push(execution);
    else members.set(position, [execution]);
  }
  return [...members.values()].flatMap((own) => {
    const [member] = own;
    const all = own.map(({ verdict }) => verdict);
    if (all.every((verdict) => verdict === null)) return [];
    const hasFailed = isFailure(verdicts.get(member.testId) ?? null);
    const counted = hasFailed ? all : all.map((verdict) => (isFailure(verdict) ? "passed" : verdict));
    const verdict = worstVerdict(counted) as ExecutionVerdict;
    return [{ member, verdict, isAvailable: judgeAvailability(rule, own) }];
  });
}

function judgeAvailability(rule: PlaceRule, own: readonly PlacedMember[]): boolean | undefined {
  const requested = new Set(own.flatMap(({ placeId, isAvailable }) => (isAvailable === undefined ? [] : [placeId])));
  const without = new Set(own.flatMap(({ placeId, isAvailable }) => (isAvailable === false ? [placeId] : [])));
  return requested.size === 0 ? undefined : !isReached(rule, without.size, requested.size);
}
