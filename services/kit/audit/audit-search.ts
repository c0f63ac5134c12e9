import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";
import { firstIdOf } from "../database/id-time.ts";
import { findInOrder, termsOf, wantedTerms } from "../database/word-search.ts";
import type { AuditTables } from "./audit-table.ts";

/** Organization id in the search terms that cover all organizations. */
const allOrganizations = "00000000-0000-0000-0000-000000000000";

const byWho = sql<string>`new.actor_name || ' ' || new.operation || ' ' || new.resource_id`;

/** Migration step after `createAuditTable`: indexes records by actor, operation and resource. */
export function indexAuditRecordTerms(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const table = sql.id(schema, "audit_records");
    await sql`alter table ${table} add column terms tsvector`.execute(db);
    await createSettingTerms(db, schema, byWho);
    await sql`
      create trigger set_audit_terms before insert or update on ${table}
      for each row execute function ${sql.id(schema, "set_audit_terms")}()`.execute(db);
    await setTermsAgain(db, schema);
    await sql`create index audit_records_terms on ${table} using gin (terms)`.execute(db);
  };
}

/** Fields that name a resource, before and after its change. */
const nameFields = ["name", "title", "schemeName", "fullName", "username", "email", "address", "host", "url"];
/** Fields that name what a run was started from. */
const sourceFields = ["testCircleName", "testName", "apiName"];

/** Migration step after `indexAuditRecordTerms`: records are found by the names of their resources, too. */
export function indexAuditRecordNames(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const values = [sql`new.before`, sql`new.after`].flatMap((state) => [
      ...nameFields.map((field) => sql`left(${state} ->> ${sql.lit(field)}, 300)`),
      ...sourceFields.map((field) => sql`left(${state} -> 'source' ->> ${sql.lit(field)}, 300)`),
    ]);
    await createSettingTerms(db, schema, sql`concat_ws(' ', ${byWho}, ${sql.join(values)})`);
    await setTermsAgain(db, schema);
  };
}

async function createSettingTerms(db: Kysely<AnyTables>, schema: string, texts: RawBuilder<string>): Promise<void> {
  const labels = sql<string[]>`array['kind:' || new.resource_kind, 'operation:' || new.operation]`;
  const terms = (of: RawBuilder<string>) => termsOf(of, texts, labels);
  await sql`
    create or replace function ${sql.id(schema, "set_audit_terms")}() returns trigger language plpgsql as $$
    begin
      new.terms := ${terms(sql`new.organization_id`)} || ${terms(sql`${sql.lit(allOrganizations)}`)};
      return new;
    end $$`.execute(db);
}

/** The only update of existing records: their content is unchanged. */
async function setTermsAgain(db: Kysely<AnyTables>, schema: string): Promise<void> {
  const table = sql.id(schema, "audit_records");
  await sql`alter table ${table} disable trigger append_only`.execute(db);
  await sql`update ${table} set terms = null`.execute(db);
  await sql`alter table ${table} enable trigger append_only`.execute(db);
}

export interface AuditSearch {
  /** Undefined: all organizations. */
  organizationId: string | undefined;
  query?: string | undefined;
  kind?: string | undefined;
  operation?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  beforeId?: string | undefined;
  limit: number;
}

const columns = [
  ...(["id", "organization_id", "recorded_at", "actor_kind", "actor_id", "actor_name", "client_address"] as const),
  ...(["request_id", "operation", "resource_kind", "resource_id", "before", "after"] as const),
] as const;

/** Newest first; one more than the limit when there are more. */
export async function listAuditRecords(db: Executor<AuditTables>, search: AuditSearch) {
  const { organizationId, query, kind, operation, since, until } = search;
  const limit = search.limit + 1;
  const [beforeId] = [search.beforeId, until && firstIdOf(until)].filter((id) => id !== undefined).sort();
  const terms = wantedTerms(organizationId ?? allOrganizations, {
    query,
    labels: [kind ? [`kind:${kind}`] : [], operation ? [`operation:${operation}`] : []],
  });
  if (terms === "nothing") return [];
  let records = db.selectFrom("audit_records").select(columns).orderBy("id", "desc").limit(limit);
  if (terms) {
    const condition = since && sql<boolean>`id >= ${firstIdOf(since)}`;
    const ids = await findInOrder(db, {
      table: "audit_records",
      id: "id",
      key: "id",
      direction: "desc",
      after: beforeId,
      organizationId,
      limit,
      terms,
      condition,
      among: organizationId && kind ? sql<boolean>`resource_kind = ${kind}` : undefined,
    });
    if (ids.length === 0) return [];
    records = records.where("id", "in", ids);
  } else {
    if (organizationId) records = records.where("organization_id", "=", organizationId);
    if (beforeId) records = records.where("id", "<", beforeId);
    if (since) records = records.where("id", ">=", firstIdOf(since));
  }
  return await records.execute();
}
