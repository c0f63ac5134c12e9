import { type ExpressionBuilder, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { findInOrder, wantedTerms } from "../../kit/database/word-search.ts";
import type { RuledDomain, UnsafeMethods } from "../domain/host-rules.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
type StoredDomain = SecurityTables["domains"];
/** A row as it is read. */
export type DomainRow = Omit<StoredDomain, "missed_checks" | "failure" | "unsafe_methods" | "terms"> & {
  missed_checks: number;
  failure: string | null;
  unsafe_methods: UnsafeMethods;
};
export type CountedDomain = DomainRow & { credential_count: number; config_count: number };

const columns = [
  ...(["id", "organization_id", "name", "description", "method", "token", "state", "proven_at", "checked_at"] as const),
  ...(["missed_checks", "failure", "unsafe_methods", "next_check_at", "created_at", "updated_at"] as const),
] as const;

export interface DomainFilter {
  /** Word prefixes in name and description. */
  query?: string;
  state?: StoredDomain["state"];
  limit: number;
  afterName?: string;
}

const countCredentials = ({ selectFrom }: ExpressionBuilder<SecurityTables, "domains">) =>
  selectFrom("credentials")
    .select(sql<number>`count(*)::integer`.as("count"))
    .whereRef("credentials.organization_id", "=", "domains.organization_id")
    .whereRef("credentials.domain", "=", "domains.name")
    .$asScalar()
    .$notNull()
    .as("credential_count");

const countConfigs = ({ selectFrom }: ExpressionBuilder<SecurityTables, "domains">) =>
  selectFrom("authorization_configs")
    .select(sql<number>`count(*)::integer`.as("count"))
    .whereRef("authorization_configs.domain_id", "=", "domains.id")
    .$asScalar()
    .$notNull()
    .as("config_count");

/** By name; reads one row beyond the page. */
export async function listDomains(db: Db, organizationId: string, filter: DomainFilter): Promise<CountedDomain[]> {
  const { query, state, afterName } = filter;
  const limit = filter.limit + 1;
  let domains = db
    .selectFrom("domains")
    .select(columns)
    .select(countCredentials)
    .select(countConfigs)
    .where("organization_id", "=", organizationId)
    .orderBy("name")
    .limit(limit);
  const terms = query ? wantedTerms(organizationId, { query, labels: [state ? [state] : []] }) : undefined;
  if (terms === "nothing") return [];
  if (terms) {
    const table = { table: "domains", id: "id", key: "name", direction: "asc" } as const;
    const ids = await findInOrder(db, { ...table, organizationId, after: afterName, limit, terms });
    if (ids.length === 0) return [];
    domains = domains.where("id", "in", ids);
  } else {
    if (state) domains = domains.where("state", "=", state);
    if (afterName !== undefined) domains = domains.where("name", ">", afterName);
  }
  return await domains.execute();
}

export async function findDomain(
  db: Db,
  organizationId: string,
  by: { id: string } | { name: string },
): Promise<CountedDomain | undefined> {
  const query = db
    .selectFrom("domains")
    .select(columns)
    .select(countCredentials)
    .select(countConfigs)
    .where("organization_id", "=", organizationId);
  return await ("id" in by ? query.where("id", "=", by.id) : query.where("name", "=", by.name)).executeTakeFirst();
}

/** Throws the database's unique violation when the name exists. */
export async function insertDomain(db: Db, row: DomainRow): Promise<void> {
  await db.insertInto("domains").values(row).execute();
}

/**
 * Creates the domain unless its name exists. An existing one is locked, so that it can't be deleted before the row that
 * references it is stored.
 */
export async function insertOrLockDomain(db: Db, row: DomainRow): Promise<void> {
  await db
    .insertInto("domains")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "name"]).doUpdateSet({ name: row.name }))
    .execute();
}

/** Locks the row until the end of the transaction, to serialize decisions based on it. */
export async function lockDomain(db: Db, organizationId: string, id: string): Promise<DomainRow | undefined> {
  return await db
    .selectFrom("domains")
    .select(columns)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateDomain(
  db: Db,
  { id, organization_id }: Pick<DomainRow, "id" | "organization_id">,
  changes: Partial<Omit<DomainRow, "id" | "organization_id" | "name" | "token" | "created_at">>,
): Promise<void> {
  await db
    .updateTable("domains")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
}

export async function removeDomain(db: Db, organizationId: string, id: string): Promise<void> {
  await db.deleteFrom("domains").where("organization_id", "=", organizationId).where("id", "=", id).execute();
}

/** The existing ones of these names. */
export async function listRuledDomains(db: Db, organizationId: string, names: string[]): Promise<RuledDomain[]> {
  if (names.length === 0) return [];
  return await db
    .selectFrom("domains")
    .select(["name", "state", "unsafe_methods"])
    .where("organization_id", "=", organizationId)
    .where("name", "in", names)
    .execute();
}

/** Verified domains whose daily check is due, locked for the dispatcher; skips rows that another one has locked. */
export async function takeDueDomains(db: Db, now: Date, limit: number) {
  return await db
    .selectFrom("domains")
    .select(["id", "organization_id"])
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}
