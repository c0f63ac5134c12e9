import type { CircleMember, CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";

const phaseOrder: CirclePhase[] = ["setUp", "main", "tearDown"];

/** What resolving needs to know of a test. */
export interface ChoosableTest {
  id: string;
  apiId: string;
  name: string;
  method: string;
  enabled: boolean;
  tags: string[];
}

export interface Placed<Test> {
  /** Of the circle's list, from 0. */
  memberIndex: number;
  phase: CirclePhase;
  test: Test;
}

export interface ResolvedMembers<Test> {
  /** In the order of the run. */
  running: Placed<Test>[];
  notRun: (Placed<Test> & { reason: "disabled" | "unsafe" })[];
  /** Indexes of members whose test is not there. */
  absent: number[];
}

/**
 * Which tests a circle runs, of those there are now: set-up, then the others, then tear-down, each in the order of the
 * list. A selection brings its tests by name, without those the circle names or an earlier selection has brought.
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

  function name({ testId, phase }: Extract<CircleMember, { kind: "test" }>, memberIndex: number): void {
    const test = byId.get(testId);
    if (!test) resolved.absent.push(memberIndex);
    else if (test.enabled) resolved.running.push({ memberIndex, phase, test });
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

/** Where a test stands in the run, so that comparing keys from left to right gives the order. */
export function placeKey({ phase, memberIndex, test }: Placed<ChoosableTest>): (string | number)[] {
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
