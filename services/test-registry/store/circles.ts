import { type Selectable, type SqlBool, sql } from "kysely";
import { json } from "../../kit/database/database.ts";
import { containsPattern, readCursor } from "../../kit/database/keyset.ts";
import type { CircleMember } from "../contract/circle-members.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

export type CircleRow = Omit<Selectable<TestTables["test_circles"]>, "name_key">;
type Owned = { organizationId: string; testCircleId: string };

const table = (name: keyof TestTables) => sql.id(schemaName, name);

const written = ({ environments, variables }: Pick<CircleRow, "environments" | "variables">) => ({
  environments: json(environments),
  variables: json(variables),
});

export async function insertCircle(db: TestDatabase, row: CircleRow): Promise<void> {
  await db
    .insertInto("test_circles")
    .values({ ...row, ...written(row) })
    .execute();
}

export async function findCircle(
  db: TestDatabase,
  { organizationId, testCircleId }: Owned,
): Promise<CircleRow | undefined> {
  return await db
    .selectFrom("test_circles")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", testCircleId)
    .executeTakeFirst();
}

const given = (circles: Owned[]) => sql`unnest(
  ${circles.map(({ organizationId }) => organizationId)}::uuid[],
  ${circles.map(({ testCircleId }) => testCircleId)}::uuid[]
) as given(organization_id, circle_id)`;

/** Those of them that are there. */
export async function findCircles(db: TestDatabase, circles: Owned[]): Promise<CircleRow[]> {
  const { rows } = await sql<CircleRow>`
    select circle.* from ${given(circles)}
    join ${table("test_circles")} circle
      on circle.organization_id = given.organization_id and circle.id = given.circle_id`.execute(db);
  return rows;
}

/** Others that change it, or delete it, wait until the transaction ends. */
export async function lockCircle(db: TestTransaction, { organizationId, testCircleId }: Owned): Promise<void> {
  await sql`select from ${table("test_circles")}
    where organization_id = ${organizationId}::uuid and id = ${testCircleId}::uuid for update`.execute(db);
}

/** Whether it is there; nobody deletes it until the transaction ends. */
export async function holdCircle(db: TestTransaction, { organizationId, testCircleId }: Owned): Promise<boolean> {
  const { rows } = await sql`select from ${table("test_circles")}
    where organization_id = ${organizationId}::uuid and id = ${testCircleId}::uuid for key share`.execute(db);
  return rows.length > 0;
}

/** Writes over the row and counts its version up; undefined when it is absent or has none of the versions. */
export async function updateCircle(
  db: TestDatabase,
  row: Omit<CircleRow, "version" | "created_at">,
  versions: number[] | undefined,
): Promise<CircleRow | undefined> {
  const { id, organization_id, ...columns } = row;
  let update = db
    .updateTable("test_circles")
    .set((expression) => ({ ...columns, ...written(columns), version: expression("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await update.returningAll().executeTakeFirst();
}

/** What went; undefined when there was nothing, or none of the versions. */
export async function removeCircle(
  db: TestDatabase,
  { organizationId, testCircleId }: Owned,
  versions: number[] | undefined,
): Promise<CircleRow | undefined> {
  let removal = db
    .deleteFrom("test_circles")
    .where("organization_id", "=", organizationId)
    .where("id", "=", testCircleId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await removal.returningAll().executeTakeFirst();
}

/** Members in their order, each with the API it belongs to. */
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
      (circle_id, organization_id, position, kind, phase, test_id, api_id, tag, include)
    select ${testCircleId}::uuid, ${organizationId}::uuid, given.position - 1, given.kind, given.phase, given.test_id,
      given.api_id, given.tag, given.include
    from unnest(
      ${column(({ kind }) => kind)}::text[],
      ${column(({ phase }) => phase)}::text[],
      ${column((member) => (member.kind === "test" ? member.testId : null))}::uuid[],
      ${members.map(({ apiId }) => apiId)}::uuid[],
      ${column((member) => (member.kind === "selection" ? (member.tag ?? null) : null))}::text[],
      ${column((member) => (member.kind === "selection" ? member.include : null))}::text[]
    ) with ordinality as given(kind, phase, test_id, api_id, tag, include, position)`.execute(db);
}

export interface ListedMember {
  member: CircleMember;
  apiId: string;
}

export async function listMembers(db: TestDatabase, circle: Owned): Promise<ListedMember[]> {
  return (await listMembersOf(db, [circle])).get(circle.testCircleId) ?? [];
}

/** By circle, in their order. */
export async function listMembersOf(db: TestDatabase, circles: Owned[]): Promise<Map<string, ListedMember[]>> {
  const { rows } = await sql<Selectable<TestTables["test_circle_members"]>>`
    select member.* from ${given(circles)}
    join ${table("test_circle_members")} member
      on member.organization_id = given.organization_id and member.circle_id = given.circle_id
    order by member.position`.execute(db);
  const members = new Map<string, ListedMember[]>();
  for (const { circle_id, phase, test_id, api_id: apiId, tag, include } of rows) {
    const own = members.get(circle_id) ?? [];
    const member: CircleMember =
      test_id === null
        ? { kind: "selection", apiId, ...(tag === null ? {} : { tag }), include: include!, phase }
        : { kind: "test", testId: test_id, phase };
    members.set(circle_id, own);
    own.push({ apiId, member });
  }
  return members;
}

/**
 * Takes members away from circles, whose versions count up. Circles are locked before their members, as by those who
 * save them, and looked at afterwards: what was saved in between counts.
 * @returns the circles that had one
 */
export async function removeMembers(
  db: TestTransaction,
  organizationId: string,
  { testIds, apiId }: { testIds: string[]; apiId?: string },
  now: Date,
): Promise<Pick<CircleRow, "id" | "name">[]> {
  const ofApi = apiId === undefined ? sql`` : sql` or api_id = ${apiId}::uuid`;
  const doomed = sql`organization_id = ${organizationId}::uuid and (test_id = any(${testIds}::uuid[])${ofApi})`;
  const { rows: locked } = await sql`
    select from ${table("test_circles")}
    where id in (select circle_id from ${table("test_circle_members")} where ${doomed}) order by id for update`.execute(
    db,
  );
  if (locked.length === 0) return [];
  const { rows } = await sql<Pick<CircleRow, "id" | "name">>`
    with gone as (
      delete from ${table("test_circle_members")} where ${doomed} returning circle_id
    )
    update ${table("test_circles")} circle set version = version + 1, updated_at = ${now}::timestamptz
    where circle.id in (select circle_id from gone) and circle.organization_id = ${organizationId}::uuid
    returning circle.id, circle.name`.execute(db);
  return rows;
}

export type ListedCircle = CircleRow & { member_count: number; api_ids: string[] };

export interface CircleFilter {
  organizationId: string;
  query?: string;
  apiId?: string;
  testId?: string;
}

function matching(db: TestDatabase, { organizationId, query, apiId, testId }: CircleFilter) {
  let circles = db.selectFrom("test_circles as circle").where("circle.organization_id", "=", organizationId);
  if (query) {
    const pattern = containsPattern(query);
    circles = circles.where((is) =>
      is.or([is("circle.name", "ilike", pattern), is("circle.description", "ilike", pattern)]),
    );
  }
  for (const [column, id] of [["api_id", apiId] as const, ["test_id", testId] as const]) {
    if (id === undefined) continue;
    circles = circles.where("circle.id", "in", (of) =>
      of
        .selectFrom("test_circle_members")
        .select("circle_id")
        .where("organization_id", "=", organizationId)
        .where(column, "=", id),
    );
  }
  return circles;
}

/** By name; one row more than the page, so that a further page is known of. */
export async function listCircles(
  db: TestDatabase,
  filter: CircleFilter,
  page: { limit: number; cursor?: string },
): Promise<ListedCircle[]> {
  const ofCircle = (what: string) => sql`(
    select ${sql.raw(what)} from ${table("test_circle_members")} member
    where member.circle_id = circle.id and member.organization_id = circle.organization_id)`;
  let circles = matching(db, filter);
  if (page.cursor !== undefined) {
    const [name, id] = readCursor(page.cursor, ["text", "id"]);
    const after = sql`(lower(${String(name)}::text), ${String(id)}::uuid)`;
    circles = circles.where(sql<SqlBool>`(circle.name_key, circle.id) > ${after}`);
  }
  return await circles
    .selectAll("circle")
    .select([
      sql<number>`${ofCircle("count(*)::int")}`.as("member_count"),
      sql<string[]>`${ofCircle("coalesce(array_agg(distinct api_id::text), '{}')")}`.as("api_ids"),
    ])
    .orderBy("circle.name_key")
    .orderBy("circle.id")
    .limit(page.limit + 1)
    .execute();
}

export async function countCircles(db: TestDatabase, filter: CircleFilter): Promise<number> {
  const counted = await matching(db, filter)
    .select((of) => of.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}

/** APIs that circles have members of, by circle; those without a member are left out. */
export async function listApiIdsOfCircles(db: TestDatabase, circleIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ circle_id: string; api_ids: string[] }>`
    select circle_id, array_agg(distinct api_id::text) as api_ids from ${table("test_circle_members")}
    where circle_id = any(${circleIds}::uuid[]) group by circle_id`.execute(db);
  return new Map(rows.map((row) => [row.circle_id, row.api_ids]));
}
