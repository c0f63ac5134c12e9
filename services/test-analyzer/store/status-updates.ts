import { type Selectable, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { StatusPageRow } from "./status-pages.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type UpdateRow = Selectable<AnalyzerTables["status_page_updates"]>;
export type ReportedIncident = Pick<
  Selectable<AnalyzerTables["status_page_incidents"]>,
  "incident_id" | "title" | "circle_ids"
>;
type PageKey = Pick<StatusPageRow, "organization_id" | "test_circle_id">;

/** Rows that are left of a page: a year of a page that is often in trouble. */
const maxStored = 200;

/** Newest first. */
export async function listUpdates(
  db: Db,
  page: PageKey,
  { limit, onlyMessages }: { limit: number; onlyMessages: boolean },
): Promise<UpdateRow[]> {
  return await db
    .selectFrom("status_page_updates")
    .selectAll()
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .$if(onlyMessages, (query) => query.where("kind", "=", "message"))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function insertUpdates(transaction: AnalyzerTransaction, updates: readonly UpdateRow[]): Promise<void> {
  const [first] = updates;
  if (!first) return;
  await transaction
    .insertInto("status_page_updates")
    .values([...updates])
    .execute();
  await sql`
    delete from ${table("status_page_updates")} where id in (
      select id from ${table("status_page_updates")}
      where organization_id = ${first.organization_id}::uuid and page_circle_id = ${first.page_circle_id}::uuid
      order by id desc offset ${maxStored})`.execute(transaction);
}

/** Pages that publish incidents whose open ones, or the circles of these, are not the reported ones. */
export async function listPagesToUpdate(db: Db): Promise<PageKey[]> {
  const { rows } = await sql<PageKey>`
    select page.organization_id, page.test_circle_id from ${table("status_pages")} page
    cross join lateral (
      select coalesce(string_agg(one.incident_id || one.circles, ',' order by one.incident_id), '') as all_of_them from (
        select test.incident_id::text as incident_id,
          string_agg(distinct test.test_circle_id::text, ' ' order by test.test_circle_id::text) as circles
        from ${table("incident_tests")} test
        join ${table("incidents")} incident on incident.id = test.incident_id and incident.resolved_at is null
        where test.organization_id = page.organization_id and test.state = 'failing'
          and test.test_circle_id in (
            select component.test_circle_id from ${table("status_page_components")} component
            where component.organization_id = page.organization_id and component.page_circle_id = page.test_circle_id
            union all
            select page.test_circle_id where not exists (
              select from ${table("status_page_components")} component
              where component.organization_id = page.organization_id
                and component.page_circle_id = page.test_circle_id))
        group by test.incident_id
      ) one
    ) open
    cross join lateral (
      select coalesce(string_agg(known.incident_id::text || array_to_string(known.circle_ids, ' '), ','
        order by known.incident_id::text), '') as all_of_them
      from ${table("status_page_incidents")} known
      where known.organization_id = page.organization_id and known.page_circle_id = page.test_circle_id
    ) reported
    where page.shows_incidents and open.all_of_them <> reported.all_of_them`.execute(db);
  return rows;
}

export async function listReported(db: Db, page: PageKey): Promise<ReportedIncident[]> {
  return await db
    .selectFrom("status_page_incidents")
    .select(["incident_id", "title", "circle_ids"])
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .execute();
}

export async function replaceReported(
  transaction: AnalyzerTransaction,
  page: PageKey,
  incidents: readonly ReportedIncident[],
): Promise<void> {
  await transaction
    .deleteFrom("status_page_incidents")
    .where("organization_id", "=", page.organization_id)
    .where("page_circle_id", "=", page.test_circle_id)
    .execute();
  if (incidents.length === 0) return;
  const of = { organization_id: page.organization_id, page_circle_id: page.test_circle_id };
  await transaction
    .insertInto("status_page_incidents")
    .values(incidents.map((incident) => ({ ...of, ...incident })))
    .execute();
}
