import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { isFailure } from "./verdict.ts";

export interface Member {
  phase: CirclePhase;
  effect?: MemberEffect;
  test: Test;
  /** Row of the test's data, from 0; null without data. */
  rowIndex: number | null;
}

/** A member of a run that is to be repeated. */
export interface EarlierMember {
  position: number;
  phase: CirclePhase;
  effect?: MemberEffect;
  testId: string;
  rowIndex: number | null;
  verdict: Verdict | null;
}

/** One execution per test, or per row of its data. */
export function toMembers(test: Test, phase: CirclePhase, effect?: MemberEffect): Member[] {
  const shared = { phase, test, ...(effect ? { effect } : {}) };
  if (!test.data || test.data.length === 0) return [{ ...shared, rowIndex: null }];
  return test.data.map((_, rowIndex) => ({ ...shared, rowIndex }));
}

/**
 * The failed members, between the set-up and the tear-down they need. If set-up failed, includes the members that it
 * blocked. Empty if nothing failed.
 */
export function chooseFailed<Member extends EarlierMember>(members: Member[]): Member[] {
  if (!members.some(({ verdict }) => isFailure(verdict))) return [];
  const hasSetUpFailed = members.some(({ phase, verdict }) => phase === "setUp" && isFailure(verdict));
  return members.filter(
    ({ phase, verdict }) => phase !== "main" || isFailure(verdict) || (hasSetUpFailed && verdict === "skipped"),
  );
}

/** One member and those after it, after set-up; for a member of tear-down only that one and those after it. */
export function chooseFrom<Member extends EarlierMember>(members: Member[], from: number): Member[] {
  const first = members.find(({ position }) => position === from);
  if (!first) return [];
  return members.filter(({ phase, position }) => {
    if (phase === "main" || first.phase === "tearDown") return position >= from;
    return true;
  });
}

/**
 * The members to run again, in their current version: deleted tests are omitted; a test whose rows have changed so that
 * those that ran are missing runs with all of its rows.
 */
export function chooseMembers(chosen: EarlierMember[], tests: ReadonlyMap<string, Test>): Member[] {
  const members = new Map<string, Member>();
  /** A circle may contain a test several times. */
  const times = new Map<string, number>();
  for (const { phase, effect, testId, rowIndex } of chosen) {
    const test = tests.get(testId);
    if (!test) continue;
    const before = `${phase} ${testId} ${rowIndex}`;
    const time = (times.get(before) ?? 0) + 1;
    times.set(before, time);
    const all = toMembers(test, phase, effect);
    const same = all.filter((member) => member.rowIndex === rowIndex);
    for (const member of same.length > 0 ? same : all) {
      members.set(`${phase} ${testId} ${member.rowIndex} ${time}`, member);
    }
  }
  return [...members.values()];
}
