import type { Test } from "../../test-registry/contract/tests.ts";

export interface Member {
  test: Test;
  /** Row of the test's data, from 0; null without data. */
  rowIndex: number | null;
}

/**
 * What failed, as it is today: a test that is gone is left out; one whose rows have changed so that the failed ones are
 * not there runs with all it has.
 */
export function chooseMembers(
  failed: { testId: string; rowIndex: number | null }[],
  tests: ReadonlyMap<string, Test>,
): Member[] {
  const chosen = new Map<string, Member>();
  const add = (member: Member) => chosen.set(`${member.test.id} ${member.rowIndex}`, member);
  for (const { testId, rowIndex } of failed) {
    const test = tests.get(testId);
    if (!test) continue;
    const rows = test.data?.length ?? 0;
    if (rows === 0) add({ test, rowIndex: null });
    else if (rowIndex !== null && rowIndex < rows) add({ test, rowIndex });
    else for (let row = 0; row < rows; row += 1) add({ test, rowIndex: row });
  }
  return [...chosen.values()];
}
