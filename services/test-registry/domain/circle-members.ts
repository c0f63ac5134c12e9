import type { CircleMember, CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";

const phaseOrder: CirclePhase[] = ["setUp", "main", "tearDown"];

/** Properties of a test used for resolving. */
export interface ChoosableTest {
  id: string;
  apiId: string;
  name: string;
  method: string;
  enabled: boolean;
  tags: string[];
}

export interface ResolvedMember<Test> {
  /** Index in the circle's list, from 0. */
  memberIndex: number;
  phase: CirclePhase;
  /** Of a named test. */
  effect?: MemberEffect;
  test: Test;
}

export interface ResolvedMembers<Test> {
  /** In run order. */
  running: ResolvedMember<Test>[];
  notRun: (ResolvedMember<Test> & { reason: "disabled" | "unsafe" })[];
  /** Indexes of members whose test does not exist. */
  absent: number[];
}

/**
 * Resolves the tests a circle runs from the existing ones: set-up, then the others, then tear-down, each in list order.
 * A selection adds its tests by name, without those that the circle names or an earlier selection added.
 */
export function resolveMembers<Test extends ChoosableTest>(
  members: CircleMember[],
  tests: Iterable<Test>,
): ResolvedMembers<Test> {
  const byId = new Map<string, Test>();
  for (const test of tests) byId.set(test.id, test);
  const inNameOrder = [...byId.values()].sort(byName);
  const brought = new Set(members.flatMap((member) => (member.kind === "test" ? [member.testId] : [])));
  const resolved: ResolvedMembers<Test> = { running: [], notRun: [], absent: [] };

  function bring(member: Extract<CircleMember, { kind: "selection" }>, memberIndex: number): void {
    const { apiId, tag, phase } = member;
    for (const test of inNameOrder) {
      if (test.apiId !== apiId || !test.enabled || brought.has(test.id)) continue;
      if (tag !== undefined && !test.tags.includes(tag)) continue;
      brought.add(test.id);
      const isChosen = member.include === "all" || isSafe(test.method);
      if (isChosen) resolved.running.push({ memberIndex, phase, test });
      else resolved.notRun.push({ memberIndex, phase, test, reason: "unsafe" });
    }
  }

  function name({ testId, phase, effect }: Extract<CircleMember, { kind: "test" }>, memberIndex: number): void {
    const test = byId.get(testId);
    if (!test) resolved.absent.push(memberIndex);
    else if (test.enabled) resolved.running.push({ memberIndex, phase, ...(effect ? { effect } : {}), test });
    else resolved.notRun.push({ memberIndex, phase, test, reason: "disabled" });
  }

  for (const phase of phaseOrder) {
    members.forEach((member, memberIndex) => {
      if (member.phase !== phase) return;
      if (member.kind === "selection") bring(member, memberIndex);
      else name(member, memberIndex);
    });
  }
  return resolved;
}

/** Sort key of a test in the run: comparing keys from left to right gives the order. */
export function toSortKey({ phase, memberIndex, test }: ResolvedMember<ChoosableTest>): (string | number)[] {
  return [phaseOrder.indexOf(phase), memberIndex, ...nameKey(test)];
}

function nameKey({ name, id }: ChoosableTest): [string, string] {
  return [name.toLowerCase(), id];
}

function byName(one: ChoosableTest, other: ChoosableTest): number {
  const [a, b] = [nameKey(one), nameKey(other)];
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] < b[1] ? -1 : 1;
}
