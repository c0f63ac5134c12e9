import { type Expression, type SqlBool, sql } from "kysely";
import { type Executor, json } from "../../kit/database/database.ts";
import { containsPattern } from "../../kit/database/keyset.ts";
import { credentialSettings } from "../contract/credentials.ts";
import type { CredentialSettings } from "../domain/credential-settings.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
type StoredRow = SecurityTables["credentials"];
export type CredentialRow = Omit<StoredRow, "settings"> & { settings: CredentialSettings };
/** With the form of the name the list is sorted by, as the database writes it. */
export type ListedCredential = Omit<CredentialRow, "sealed_secret"> & { sort_name: string };

export interface CredentialFilter {
  /** Only credentials whose domain is one of these. */
  domains?: string[];
  query?: string;
  limit: number;
  /** Names after this one, as in `sort_name`. */
  afterName?: string;
}

function read<Row extends { settings: unknown }>(row: Row): Omit<Row, "settings"> & { settings: CredentialSettings } {
  return { ...row, settings: credentialSettings.parse(row.settings) };
}

const shownColumns = [
  "id",
  "organization_id",
  "name",
  "domain",
  "type",
  "settings",
  "secret_set_at",
  "created_at",
  "updated_at",
] as const;
const sortName = sql<string>`lower(name)`;

/** By name; reads one row beyond the page. The sealed secret is not even read. */
export async function listCredentials(
  db: Db,
  organizationId: string,
  filter: CredentialFilter,
): Promise<ListedCredential[]> {
  let query = db
    .selectFrom("credentials")
    .select(shownColumns)
    .select(sortName.as("sort_name"))
    .where("organization_id", "=", organizationId)
    .orderBy(sortName)
    .limit(filter.limit + 1);
  if (filter.domains) query = query.where("domain", "in", filter.domains);
  if (filter.query) {
    const pattern = containsPattern(filter.query);
    query = query.where(
      ({ or, eb }): Expression<SqlBool> => or([eb("name", "ilike", pattern), eb("domain", "ilike", pattern)]),
    );
  }
  if (filter.afterName !== undefined) query = query.where(sortName, ">", filter.afterName);
  return (await query.execute()).map(read);
}

export async function findCredential(
  db: Db,
  organizationId: string,
  credentialId: string,
): Promise<CredentialRow | undefined> {
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", credentialId)
    .executeTakeFirst();
  return row && read(row);
}

/** Throws the database's unique violation when the name is taken. */
export async function insertCredential(db: Db, row: CredentialRow): Promise<void> {
  await db
    .insertInto("credentials")
    .values({ ...row, settings: json(row.settings) })
    .execute();
}

/**
 * @param judged the row the change was judged by: a secret given for another domain meanwhile must not be overwritten
 * @returns false when it is gone or was changed since
 */
export async function updateCredential(
  db: Db,
  row: Omit<CredentialRow, "created_at">,
  judged: { sealed_secret: string },
): Promise<boolean> {
  const { id, organization_id, settings, ...changes } = row;
  const result = await db
    .updateTable("credentials")
    .set({ ...changes, settings: json(settings) })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("sealed_secret", "=", judged.sealed_secret)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when there was none */
export async function removeCredential(db: Db, organizationId: string, credentialId: string): Promise<boolean> {
  const result = await db
    .deleteFrom("credentials")
    .where("organization_id", "=", organizationId)
    .where("id", "=", credentialId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function listNamedCredentials(
  db: Db,
  organizationId: string,
  credentialIds: string[],
): Promise<CredentialRow[]> {
  if (credentialIds.length === 0) return [];
  const rows = await db
    .selectFrom("credentials")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "in", credentialIds)
    .execute();
  return rows.map(read);
}

/** At most fifty: a request carries a handful of credentials, never a table of them. */
export async function listCredentialsOfDomains(
  db: Db,
  organizationId: string,
  domains: string[],
): Promise<CredentialRow[]> {
  if (domains.length === 0) return [];
  const rows = await db
    .selectFrom("credentials")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("domain", "in", domains)
    .orderBy(sortName)
    .limit(50)
    .execute();
  return rows.map(read);
}
