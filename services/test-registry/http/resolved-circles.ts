import { notFound } from "#contracts/kit/problem.ts";
import { type ResolvedMembers, resolveMembers } from "../domain/circle-members.ts";
import { type ListedMember, listMembersByCircle } from "../store/circle-members.ts";
import { type CircleTest, listTestsOfMembers } from "../store/circle-tests.ts";
import { type CircleRow, findCircles } from "../store/circles.ts";
import type { TestDatabase } from "../store/tables.ts";

export interface CircleAddress {
  organizationId: string;
  testCircleId: string;
}

export interface ResolvedCircle extends ResolvedMembers<CircleTest> {
  row: CircleRow;
  placed: ListedMember[];
}

/** Circles with the tests that they run now, by id; a hundred take as many statements as one. */
export async function resolveCircles(
  db: TestDatabase,
  addresses: CircleAddress[],
): Promise<Map<string, ResolvedCircle>> {
  const rows = await findCircles(db, addresses);
  const placed = await listMembersByCircle(db, addresses);
  const found = rows.map((row) => {
    const own = placed.get(row.id) ?? [];
    return { row, placed: own, organizationId: row.organization_id, members: own.map(({ member }) => member) };
  });
  const tests = await listTestsOfMembers(db, found);
  return new Map(
    found.map(({ row, placed: own, members }) => {
      const named = new Set(members.map((member) => (member.kind === "test" ? member.testId : member.apiId)));
      const ofCircle = tests.filter(({ id, apiId }) => named.has(id) || named.has(apiId));
      return [row.id, { row, placed: own, ...resolveMembers(members, ofCircle) }];
    }),
  );
}

/** @throws Problem not_found */
export async function resolveCircle(
  db: TestDatabase,
  organizationId: string,
  testCircleId: string,
): Promise<ResolvedCircle> {
  const resolved = (await resolveCircles(db, [{ organizationId, testCircleId }])).get(testCircleId);
  if (!resolved) throw notFound("test circle");
  return resolved;
}

export const toOwnedTests = ({ row, running }: Pick<ResolvedCircle, "row" | "running">) =>
  running.map(({ test }) => ({ organizationId: row.organization_id, id: test.id }));
