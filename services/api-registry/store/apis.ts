import { type Insertable, type Selectable, sql } from "kysely";
import type { ApiSummary, apiSorts } from "#contracts/api-registry/apis.ts";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern, pageFrom, readCursor } from "../../kit/database/keyset.ts";
import { mayHaveOwnServers } from "./document-servers.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables, ApiTable, DocumentRow } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

export type ApiRow = Selectable<ApiTable> &
  Pick<
    DocumentRow,
    "version" | "specification_version" | "operation_count" | "problem_count" | "server_url" | "has_security_schemes"
  >;

export function nameKey(name: string): string {
  return storableText(name.normalize("NFKC").toLowerCase(), 500);
}

export function toApiSummary(row: ApiRow): ApiSummary {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    specificationVersion: row.specification_version,
    operationCount: row.operation_count,
    tags: row.tags,
    baseUrl: row.base_url,
    effectiveBaseUrl: row.base_url ?? row.server_url,
    documentId: row.current_document_id,
    problemCount: row.problem_count,
    isDisposable: row.is_disposable,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function selectAllApis(db: Db) {
  return db
    .selectFrom("apis")
    .innerJoin("documents", "documents.id", "apis.current_document_id")
    .selectAll("apis")
    .select([
      "documents.version",
      "documents.specification_version",
      "documents.operation_count",
      "documents.problem_count",
      "documents.server_url",
      "documents.has_security_schemes",
    ]);
}

function selectApis(db: Db, organizationId: string) {
  return selectAllApis(db).where("apis.organization_id", "=", organizationId);
}

/** The existing ones of these ids, and whether their operations may have servers of their own. */
export async function findApis(
  db: Db,
  requested: { organizationId: string; apiId: string }[],
): Promise<(ApiRow & { has_own_servers: boolean })[]> {
  const organizationIds = requested.map(({ organizationId }) => organizationId);
  const ids = requested.map(({ apiId }) => apiId);
  return await selectAllApis(db)
    .select(mayHaveOwnServers.as("has_own_servers"))
    .where(
      sql<boolean>`(apis.organization_id, apis.id) in (select * from unnest(${organizationIds}::uuid[], ${ids}::uuid[]))`,
    )
    .execute();
}

export async function findApi(db: Db, organizationId: string, apiId: string): Promise<ApiRow | undefined> {
  return await selectApis(db, organizationId).where("apis.id", "=", apiId).executeTakeFirst();
}

export interface ApiFilter {
  limit: number;
  cursor?: string | undefined;
  query?: string | undefined;
  tag?: string | undefined;
  ids?: string[] | undefined;
  except?: string[] | undefined;
  locationId?: string | undefined;
  sort: (typeof apiSorts)[number];
}

const listSentFrom = (db: Db, locationId: string) =>
  db.selectFrom("environments").select("api_id").where("location_id", "=", locationId);

export async function listApis(
  db: Db,
  organizationId: string,
  filter: ApiFilter,
): Promise<{ items: ApiSummary[]; nextCursor: string | null; total: number }> {
  const byName = filter.sort.endsWith("name");
  const column = byName ? "apis.name_key" : "apis.updated_at";
  const descending = filter.sort.startsWith("-");
  const direction = descending ? "desc" : "asc";
  const pattern = filter.query ? containsPattern(nameKey(filter.query)) : undefined;
  let query = selectApis(db, organizationId)
    .$if(pattern !== undefined, (select) => select.where("apis.name_key", "like", pattern!))
    .$if(filter.tag !== undefined, (select) => select.where(sql<boolean>`${filter.tag} = any(apis.tags)`))
    .$if(filter.ids !== undefined, (select) => select.where(sql<boolean>`apis.id = any(${filter.ids}::uuid[])`))
    .$if(filter.except !== undefined, (select) => select.where(sql<boolean>`apis.id <> all(${filter.except}::uuid[])`))
    .$if(filter.locationId !== undefined, (select) =>
      select.where("apis.id", "in", listSentFrom(db, filter.locationId!)),
    );
  const count = db
    .selectFrom("apis")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .$if(pattern !== undefined, (select) => select.where("name_key", "like", pattern!))
    .$if(filter.tag !== undefined, (select) => select.where(sql<boolean>`${filter.tag} = any(apis.tags)`))
    .$if(filter.ids !== undefined, (select) => select.where(sql<boolean>`apis.id = any(${filter.ids}::uuid[])`))
    .$if(filter.except !== undefined, (select) => select.where(sql<boolean>`apis.id <> all(${filter.except}::uuid[])`))
    .$if(filter.locationId !== undefined, (select) =>
      select.where("apis.id", "in", listSentFrom(db, filter.locationId!)),
    );
  if (filter.cursor) {
    const [value, id] = readCursor(filter.cursor, [byName ? "text" : "milliseconds", "id"]);
    const last = byName ? String(value) : new Date(Number(value));
    const side = sql.raw(descending ? "<" : ">");
    query = query.where(sql<boolean>`(${sql.ref(column)}, apis.id) ${side} (${last}, cast(${String(id)} as uuid))`);
  }
  const rows = await query
    .orderBy(column, direction)
    .orderBy("apis.id", direction)
    .limit(filter.limit + 1)
    .execute();
  const { count: total } = await count.executeTakeFirstOrThrow();
  const page = pageFrom(
    rows,
    filter.limit,
    (row) => [byName ? row.name_key : row.updated_at.getTime(), row.id],
    toApiSummary,
  );
  return { ...page, total: Number(total) };
}

/** All tags of the organization's APIs, for a selection list. */
export async function listTags(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("apis")
    .select(sql<string>`unnest(tags)`.as("tag"))
    .distinct()
    .where("organization_id", "=", organizationId)
    .orderBy("tag")
    .limit(500)
    .execute();
  return rows.map(({ tag }) => tag);
}

export async function insertApi(db: Db, api: Omit<Insertable<ApiTable>, "name_key">): Promise<void> {
  await db
    .insertInto("apis")
    .values({ ...api, name: storableText(api.name), name_key: nameKey(api.name) })
    .execute();
}

export async function changeApi(
  db: Db,
  organizationId: string,
  apiId: string,
  change: { name: string; baseUrl: string | null; tags: string[]; isDisposable: boolean; updatedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("apis")
    .set({
      name: storableText(change.name),
      name_key: nameKey(change.name),
      base_url: change.baseUrl,
      tags: change.tags,
      is_disposable: change.isDisposable,
      updated_at: change.updatedAt,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false when the API was deleted in the meantime */
export async function setCurrentDocument(db: Db, apiId: string, documentId: string, updatedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("apis")
    .set({ current_document_id: documentId, updated_at: updatedAt })
    .where("id", "=", apiId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The API's own base URL; null where it uses the document's server. */
export async function findBaseUrl(db: Db, apiId: string): Promise<string | null> {
  const row = await db.selectFrom("apis").select("base_url").where("id", "=", apiId).executeTakeFirst();
  return row?.base_url ?? null;
}

export async function setBaseUrl(db: Db, apiId: string, baseUrl: string): Promise<void> {
  await db.updateTable("apis").set({ base_url: baseUrl }).where("id", "=", apiId).execute();
}

/** Deletes its documents and environments by cascade; contents of documents are removed later. */
export async function deleteApi(db: Db, organizationId: string, apiId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("apis")
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
