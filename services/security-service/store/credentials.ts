import { sql } from "kysely";
import { credentialSettings } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { type SecretReference, secretReference } from "#contracts/security-service/secret-references.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import { findInOrder, wantedTerms } from "../../kit/database/word-search.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
type StoredRow = SecurityTables["credentials"];
export type CredentialRow = Omit<StoredRow, "settings" | "reference" | "sort_name" | "terms"> & {
  settings: CredentialSettings;
  reference: SecretReference | null;
};
/** Includes the normalized name that the list is sorted by. */
export type ListedCredential = Omit<CredentialRow, "sealed_secret"> & { sort_name: string };

export interface CredentialFilter {
  /** Only credentials of these domains. */
  domains?: string[];
  /** Word prefixes in name and domain. */
  query?: string;
  limit: number;
  /** Names after this one, in the form of `sort_name`. */
  afterName?: string;
}

function read<Row extends { settings: unknown; reference: unknown }>(row: Row) {
  const reference = row.reference === null ? null : secretReference.parse(row.reference);
  return { ...row, settings: credentialSettings.parse(row.settings), reference };
}

const toColumns = ({ settings, reference }: Pick<CredentialRow, "settings" | "reference">) => ({
  settings: json(settings),
  reference: reference && json(reference),
});

const displayedColumns = [
  "id",
  "organization_id",
  "name",
  "domain",
  "type",
  "settings",
  "secret_set_at",
  "reference",
  "created_at",
  "updated_at",
] as const;
const columns = [...displayedColumns, "sealed_secret"] as const;

/** By name; reads one row beyond the page. The sealed secret is not read. */
export async function listCredentials(
  db: Db,
  organizationId: string,
  filter: CredentialFilter,
): Promise<ListedCredential[]> {
  const { domains, query, afterName } = filter;
  const limit = filter.limit + 1;
  let credentials = db
    .selectFrom("credentials")
    .select(displayedColumns)
    .select("sort_name")
    .where("organization_id", "=", organizationId)
    .orderBy("sort_name")
    .limit(limit);
  const terms = wantedTerms(organizationId, { query });
  if (terms === "nothing") return [];
  if (terms) {
    const table = { table: "credentials", id: "id", key: "sort_name", direction: "asc" } as const;
    const condition = domains && sql<boolean>`domain in (${sql.join(domains)})`;
    const ids = await findInOrder(db, { ...table, organizationId, after: afterName, limit, terms, condition });
    if (ids.length === 0) return [];
    credentials = credentials.where("id", "in", ids);
  } else {
    if (domains) credentials = credentials.where("domain", "in", domains);
    if (afterName !== undefined) credentials = credentials.where("sort_name", ">", afterName);
  }
  return (await credentials.execute()).map(read);
}

export async function findCredential(
  db: Db,
  organizationId: string,
  credentialId: string,
): Promise<CredentialRow | undefined> {
  const row = await db
    .selectFrom("credentials")
    .select(columns)
    .where("organization_id", "=", organizationId)
    .where("id", "=", credentialId)
    .executeTakeFirst();
  return row && read(row);
}

/** Throws the database's unique violation when the name is taken. */
export async function insertCredential(db: Db, row: CredentialRow): Promise<void> {
  await db
    .insertInto("credentials")
    .values({ ...row, ...toColumns(row) })
    .execute();
}

/** @returns false when its name is taken */
export async function insertFreelyNamed(db: Db, row: CredentialRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("credentials")
    .values({ ...row, ...toColumns(row) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/**
 * @param judged the row that the change was validated against: a secret set for another domain since must not be
 *   overwritten
 * @returns false when it was deleted or changed since
 */
export async function updateCredential(
  db: Db,
  row: Omit<CredentialRow, "created_at">,
  judged: { sealed_secret: string },
): Promise<boolean> {
  const { id, organization_id, ...changes } = row;
  const result = await db
    .updateTable("credentials")
    .set({ ...changes, ...toColumns(row) })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("sealed_secret", "=", judged.sealed_secret)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when it did not exist */
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
    .select(columns)
    .where("organization_id", "=", organizationId)
    .where("id", "in", credentialIds)
    .execute();
  return rows.map(read);
}

/** At most fifty: a request needs a handful of credentials. */
export async function listCredentialsOfDomains(
  db: Db,
  organizationId: string,
  domains: string[],
): Promise<CredentialRow[]> {
  if (domains.length === 0) return [];
  const rows = await db
    .selectFrom("credentials")
    .select(columns)
    .where("organization_id", "=", organizationId)
    .where("domain", "in", domains)
    .orderBy("sort_name")
    .limit(50)
    .execute();
  return rows.map(read);
}
