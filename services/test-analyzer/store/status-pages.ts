import { type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { type AnalyzerTables, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type StatusPageRow = Selectable<AnalyzerTables["status_pages"]>;

export async function createStatusPages(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("status_pages")} (
      organization_id uuid not null,
      test_circle_id uuid not null,
      address text not null constraint status_pages_address unique,
      is_named boolean not null,
      title text not null,
      text text not null,
      shows_incidents boolean not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, test_circle_id)
    )`.execute(db);
}

/** The owner's current message. */
export async function addMessages(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("status_pages")} add column message text not null default '',
    add column message_at timestamptz`.execute(db);
}

export async function findStatusPage(
  db: Db,
  organizationId: string,
  testCircleId: string,
): Promise<StatusPageRow | undefined> {
  return await db
    .selectFrom("status_pages")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", testCircleId)
    .executeTakeFirst();
}

/** For any organization: the address is the only key to the page. */
export async function findPageByAddress(db: Db, address: string): Promise<StatusPageRow | undefined> {
  return await db.selectFrom("status_pages").selectAll().where("address", "=", address).executeTakeFirst();
}

/** @throws the database's unique violation when the circle has a page, or when the address is taken */
export async function insertStatusPage(db: Db, row: StatusPageRow): Promise<void> {
  await db.insertInto("status_pages").values(row).execute();
}

/** Increments the version; undefined when it is missing or has none of the versions. */
export async function updateStatusPage(
  db: Db,
  row: Omit<StatusPageRow, "version" | "created_at">,
  versions: number[] | undefined,
): Promise<StatusPageRow | undefined> {
  const { organization_id, test_circle_id, ...changes } = row;
  let update = db
    .updateTable("status_pages")
    .set((of) => ({ ...changes, version: of("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("test_circle_id", "=", test_circle_id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await update.returningAll().executeTakeFirst();
}

/** @returns the deleted row */
export async function removeStatusPage(
  db: Db,
  organizationId: string,
  testCircleId: string,
  versions?: number[],
): Promise<StatusPageRow | undefined> {
  let removal = db
    .deleteFrom("status_pages")
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", testCircleId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await removal.returningAll().executeTakeFirst();
}

export interface PublicIncident {
  id: string;
  title: string;
  since: Date;
  opened_at: Date;
  /** Those of the page's in which a test fails for it. */
  circle_ids: string[];
}

/** Open incidents of a page's circles, only the public columns; newest first. */
export async function listOpenIncidents(
  db: Db,
  { organization_id }: Pick<StatusPageRow, "organization_id">,
  { circleIds, limit }: { circleIds: readonly string[]; limit: number },
): Promise<PublicIncident[]> {
  const { rows } = await sql<PublicIncident>`
    select incident.id, incident.title, incident.since, incident.opened_at, failing.circle_ids
    from ${table("incidents")} incident cross join lateral (
      select array_agg(distinct test.test_circle_id) as circle_ids from ${table("incident_tests")} test
      where test.incident_id = incident.id and test.organization_id = ${organization_id}::uuid
        and test.test_circle_id = any(${[...circleIds]}::uuid[]) and test.state = 'failing'
    ) failing
    where incident.organization_id = ${organization_id}::uuid and incident.resolved_at is null
      and failing.circle_ids is not null
    order by incident.id desc limit ${limit}`.execute(db);
  return rows;
}
