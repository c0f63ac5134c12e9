import { type Kysely, type Selectable, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import type { StatusPageRow } from "./status-pages.ts";
import { type AnalyzerTables, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type ComponentRow = Selectable<AnalyzerTables["status_page_components"]>;
export type Component = Pick<ComponentRow, "test_circle_id" | "name">;
type PageKey = Pick<StatusPageRow, "organization_id" | "test_circle_id">;

export async function createComponents(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("status_page_components")} (
      organization_id uuid not null,
      page_circle_id uuid not null,
      position integer not null,
      test_circle_id uuid not null,
      name text not null,
      primary key (organization_id, page_circle_id, position),
      foreign key (organization_id, page_circle_id) references ${table("status_pages")} on delete cascade
    )`.execute(db);
  await sql`create index status_page_components_circle
    on ${table("status_page_components")} (organization_id, test_circle_id)`.execute(db);
}

/** In the owner's order; empty for a page of its own circle only. */
export async function listComponents(db: Db, page: PageKey): Promise<Component[]> {
  return await db
    .selectFrom("status_page_components")
    .select(["test_circle_id", "name"])
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .orderBy("position")
    .execute();
}

/** By the circle of the page, each in the owner's order. */
export async function listComponentsOfPages(
  db: Db,
  organizationId: string,
  pageCircleIds: readonly string[],
): Promise<Map<string, Component[]>> {
  const rows = await db
    .selectFrom("status_page_components")
    .select(["page_circle_id", "test_circle_id", "name"])
    .where("organization_id", "=", organizationId)
    .where("page_circle_id", "=", sql<string>`any(${[...pageCircleIds]}::uuid[])`)
    .orderBy("page_circle_id")
    .orderBy("position")
    .execute();
  const listed = new Map<string, Component[]>();
  for (const { page_circle_id, ...component } of rows)
    listed.set(page_circle_id, [...(listed.get(page_circle_id) ?? []), component]);
  return listed;
}

/** What a page shows: its components, or its own circle under its title. */
export async function listDisplayed(db: Db, page: StatusPageRow): Promise<Component[]> {
  const components = await listComponents(db, page);
  return components.length > 0 ? components : [{ test_circle_id: page.test_circle_id, name: page.title }];
}

export async function replaceComponents(db: Db, page: PageKey, components: readonly Component[]): Promise<void> {
  await db
    .deleteFrom("status_page_components")
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .execute();
  if (components.length === 0) return;
  const of = { organization_id: page.organization_id, page_circle_id: page.test_circle_id };
  await db
    .insertInto("status_page_components")
    .values(components.map((component, position) => ({ ...of, ...component, position })))
    .execute();
}

/** Of a deleted circle, on every page of the organization. */
export async function removeComponents(db: Db, organizationId: string, testCircleId: string): Promise<void> {
  await db
    .deleteFrom("status_page_components")
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", testCircleId)
    .execute();
}
