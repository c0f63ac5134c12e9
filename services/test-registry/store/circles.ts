import { type Selectable, type SqlBool, sql } from "kysely";
import { type CirclePlaces, circlePlaces } from "#contracts/test-registry/circle-places.ts";
import type { circleSorts } from "#contracts/test-registry/circles.ts";
import { json } from "../../kit/database/database.ts";
import { containsPattern, readCursor } from "../../kit/database/keyset.ts";
import { type CircleSettings, parseCircleSettings, writeCircleSettings } from "./circle-settings.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

export type StoredCircle = Selectable<TestTables["test_circles"]>;
type Stored = "name_key" | "settings_version";
interface Parsed extends CircleSettings {
  places: CirclePlaces | null;
}
export type CircleRow = Omit<StoredCircle, Stored | keyof Parsed> & Parsed;
export type Owned = { organizationId: string; testCircleId: string };

export const table = (name: keyof TestTables) => sql.id(schemaName, name);

export function readCircle<Row extends StoredCircle>({
  name_key: _,
  settings_version,
  environments,
  variables,
  places,
  ...row
}: Row): Omit<Row, Stored | keyof Parsed> & Parsed {
  const settings = parseCircleSettings({ environments, variables, settings_version });
  return { ...row, ...settings, places: circlePlaces.nullable().parse(places) };
}

const toStored = <Row extends Parsed>({ places, ...row }: Row) => ({
  ...{ ...row, ...writeCircleSettings(row) },
  places: places && json(places),
});

export async function insertCircle(db: TestDatabase, row: CircleRow): Promise<void> {
  await db.insertInto("test_circles").values(toStored(row)).execute();
}

export async function findCircle(
  db: TestDatabase,
  { organizationId, testCircleId }: Owned,
): Promise<CircleRow | undefined> {
  const row = await db
    .selectFrom("test_circles")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", testCircleId)
    .executeTakeFirst();
  return row && readCircle(row);
}

export const given = (circles: Owned[]) => sql`unnest(
  ${circles.map(({ organizationId }) => organizationId)}::uuid[],
  ${circles.map(({ testCircleId }) => testCircleId)}::uuid[]
) as given(organization_id, circle_id)`;

/** The existing ones of these ids. */
export async function findCircles(db: TestDatabase, circles: Owned[]): Promise<CircleRow[]> {
  const { rows } = await sql<StoredCircle>`
    select circle.* from ${given(circles)}
    join ${table("test_circles")} circle
      on circle.organization_id = given.organization_id and circle.id = given.circle_id`.execute(db);
  return rows.map(readCircle);
}

/** Locks it against changes and deletion until the transaction ends. */
export async function lockCircle(db: TestTransaction, { organizationId, testCircleId }: Owned): Promise<void> {
  await sql`select from ${table("test_circles")}
    where organization_id = ${organizationId}::uuid and id = ${testCircleId}::uuid for update`.execute(db);
}

/** Whether it exists; locked against deletion until the transaction ends. */
export async function lockCircleAgainstDeletion(
  db: TestTransaction,
  { organizationId, testCircleId }: Owned,
): Promise<boolean> {
  const { rows } = await sql`select from ${table("test_circles")}
    where organization_id = ${organizationId}::uuid and id = ${testCircleId}::uuid for key share`.execute(db);
  return rows.length > 0;
}

/** Replaces the row and increments its version; undefined when it is absent or has none of the versions. */
export async function updateCircle(
  db: TestDatabase,
  row: Omit<CircleRow, "version" | "created_at">,
  versions: number[] | undefined,
): Promise<CircleRow | undefined> {
  const { id, organization_id, ...columns } = row;
  let update = db
    .updateTable("test_circles")
    .set((expression) => ({ ...toStored(columns), version: expression("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  const updated = await update.returningAll().executeTakeFirst();
  return updated && readCircle(updated);
}

/** The deleted row; undefined when there was none, or it has none of the versions. */
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
  const removed = await removal.returningAll().executeTakeFirst();
  return removed && readCircle(removed);
}

export type ListedCircle = CircleRow & { member_count: number; api_ids: string[] };

export interface CircleFilter {
  organizationId: string;
  query?: string;
  apiId?: string;
  testId?: string;
  locationId?: string;
  ids?: string[];
}

function matching(db: TestDatabase, { organizationId, query, apiId, testId, locationId, ids }: CircleFilter) {
  let circles = db.selectFrom("test_circles as circle").where("circle.organization_id", "=", organizationId);
  if (ids) circles = circles.where(sql<SqlBool>`circle.id = any(${ids}::uuid[])`);
  if (locationId) {
    circles = circles.where(sql<SqlBool>`(circle.location_id = ${locationId}::uuid
      or coalesce(circle.places -> 'locationIds' @> ${JSON.stringify([locationId])}::jsonb, false))`);
  }
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

/** By name; one row more than the page, to detect a further page. */
export async function listCircles(
  db: TestDatabase,
  filter: CircleFilter,
  page: { limit: number; cursor?: string; sort: (typeof circleSorts)[number] },
): Promise<ListedCircle[]> {
  const [than, direction] = page.sort === "name" ? ([sql`>`, "asc"] as const) : ([sql`<`, "desc"] as const);
  const ofCircle = (what: string) => sql`(
    select ${sql.raw(what)} from ${table("test_circle_members")} member
    where member.circle_id = circle.id and member.organization_id = circle.organization_id)`;
  let circles = matching(db, filter);
  if (page.cursor !== undefined) {
    const [name, id] = readCursor(page.cursor, ["text", "id"]);
    const after = sql`(lower(${String(name)}::text), ${String(id)}::uuid)`;
    circles = circles.where(sql<SqlBool>`(circle.name_key, circle.id) ${than} ${after}`);
  }
  const rows = await circles
    .selectAll("circle")
    .select([
      sql<number>`${ofCircle("count(*)::int")}`.as("member_count"),
      sql<string[]>`${ofCircle("coalesce(array_agg(distinct api_id::text), '{}')")}`.as("api_ids"),
    ])
    .orderBy("circle.name_key", direction)
    .orderBy("circle.id", direction)
    .limit(page.limit + 1)
    .execute();
  return rows.map(readCircle);
}

export async function countCircles(db: TestDatabase, filter: CircleFilter): Promise<number> {
  const counted = await matching(db, filter)
    .select((of) => of.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}

/** APIs of circles' members, by circle; circles without a member are omitted. */
export async function listApiIdsOfCircles(db: TestDatabase, circleIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ circle_id: string; api_ids: string[] }>`
    select circle_id, array_agg(distinct api_id::text) as api_ids from ${table("test_circle_members")}
    where circle_id = any(${circleIds}::uuid[]) group by circle_id`.execute(db);
  return new Map(rows.map((row) => [row.circle_id, row.api_ids]));
}
