import { type Selectable, sql } from "kysely";
import type { CircleMember } from "#contracts/test-registry/circle-members.ts";
import { type CircleRow, given, type Owned, readCircle, table } from "./circles.ts";
import type { TestDatabase, TestTables, TestTransaction } from "./tables.ts";

/** Members in order, each with its API. */
export async function replaceMembers(
  db: TestDatabase,
  { organizationId, testCircleId }: Owned,
  members: { member: CircleMember; apiId: string }[],
): Promise<void> {
  await db
    .deleteFrom("test_circle_members")
    .where("organization_id", "=", organizationId)
    .where("circle_id", "=", testCircleId)
    .execute();
  const column = <Value>(read: (member: CircleMember) => Value) => members.map(({ member }) => read(member));
  await sql`
    insert into ${table("test_circle_members")}
      (circle_id, organization_id, position, kind, phase, test_id, api_id, tag, include, effect)
    select ${testCircleId}::uuid, ${organizationId}::uuid, given.position - 1, given.kind, given.phase, given.test_id,
      given.api_id, given.tag, given.include, given.effect
    from unnest(
      ${column(({ kind }) => kind)}::text[],
      ${column(({ phase }) => phase)}::text[],
      ${column((member) => (member.kind === "test" ? member.testId : null))}::uuid[],
      ${members.map(({ apiId }) => apiId)}::uuid[],
      ${column((member) => (member.kind === "selection" ? (member.tag ?? null) : null))}::text[],
      ${column((member) => (member.kind === "selection" ? member.include : null))}::text[],
      ${column((member) => (member.kind === "test" ? (member.effect ?? null) : null))}::text[]
    ) with ordinality as given(kind, phase, test_id, api_id, tag, include, effect, position)`.execute(db);
}

export interface ListedMember {
  member: CircleMember;
  apiId: string;
}

export async function listMembers(db: TestDatabase, circle: Owned): Promise<ListedMember[]> {
  return (await listMembersByCircle(db, [circle])).get(circle.testCircleId) ?? [];
}

/** By circle, in order. */
export async function listMembersByCircle(db: TestDatabase, circles: Owned[]): Promise<Map<string, ListedMember[]>> {
  const { rows } = await sql<Selectable<TestTables["test_circle_members"]>>`
    select member.* from ${given(circles)}
    join ${table("test_circle_members")} member
      on member.organization_id = given.organization_id and member.circle_id = given.circle_id
    order by member.position`.execute(db);
  const members = new Map<string, ListedMember[]>();
  for (const { circle_id, phase, test_id, api_id: apiId, tag, include, effect } of rows) {
    const own = members.get(circle_id) ?? [];
    const member: CircleMember =
      test_id === null
        ? { kind: "selection", apiId, ...(tag === null ? {} : { tag }), include: include!, phase }
        : { kind: "test", testId: test_id, phase, ...(effect === null ? {} : { effect }) };
    members.set(circle_id, own);
    own.push({ apiId, member });
  }
  return members;
}

export interface LeftCircle {
  circle: CircleRow;
  /** Current and previous number of members. */
  members: number;
  membersBefore: number;
  /** Tests that were among them. */
  testIds: string[];
}

/**
 * Removes members from circles and increments the circles' versions. Circles are locked before their members, like
 * when saving, and read afterwards, so that concurrent changes are included.
 * @returns the circles that had one
 */
export async function removeMembers(
  db: TestTransaction,
  organizationId: string,
  { testIds, apiId }: { testIds: string[]; apiId?: string },
  now: Date,
): Promise<LeftCircle[]> {
  const ofApi = apiId === undefined ? sql`` : sql` or api_id = ${apiId}::uuid`;
  const doomed = sql`organization_id = ${organizationId}::uuid and (test_id = any(${testIds}::uuid[])${ofApi})`;
  const { rows: locked } = await sql`
    select from ${table("test_circles")}
    where id in (select circle_id from ${table("test_circle_members")} where ${doomed}) order by id for update`.execute(
    db,
  );
  if (locked.length === 0) return [];
  type Left = Selectable<TestTables["test_circles"]> & { gone: number; members_before: number; test_ids: string[] };
  const { rows } = await sql<Left>`
    with gone as (
      delete from ${table("test_circle_members")} where ${doomed} returning circle_id, test_id
    ), of_circle as (
      select circle_id, count(*)::int as gone,
        coalesce(array_agg(distinct test_id::text) filter (where test_id is not null), '{}') as test_ids
      from gone group by circle_id
    )
    update ${table("test_circles")} circle set version = version + 1, updated_at = ${now}::timestamptz
    from of_circle where circle.id = of_circle.circle_id and circle.organization_id = ${organizationId}::uuid
    returning circle.*, of_circle.gone, of_circle.test_ids, (
      select count(*)::int from ${table("test_circle_members")} member
      where member.circle_id = circle.id and member.organization_id = circle.organization_id
    ) as members_before`.execute(db);
  return rows.map(({ gone, members_before: membersBefore, test_ids, ...row }) => ({
    circle: readCircle(row),
    membersBefore,
    members: membersBefore - gone,
    testIds: test_ids,
  }));
}
