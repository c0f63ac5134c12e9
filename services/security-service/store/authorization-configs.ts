import { credentialSettings } from "#contracts/security-service/credential-types/settings.ts";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern } from "../../kit/database/keyset.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
type StoredConfig = SecurityTables["authorization_configs"];

export interface ConfigFilter {
  /** Only configs of these domains. */
  domains?: string[];
  query?: string;
  limit: number;
  /** Domain and scheme of the last config of the previous page. */
  after?: { domain: string; schemeName: string };
}

const configs = (db: Db, organizationId: string) =>
  db
    .selectFrom("authorization_configs as config")
    .innerJoin("domains", "domains.id", "config.domain_id")
    .innerJoin("credentials", "credentials.id", "config.credential_id")
    .selectAll("config")
    .select([
      "domains.name as domain",
      "credentials.name as credential_name",
      "credentials.domain as credential_domain",
      "credentials.type",
      "credentials.settings",
    ])
    .where("config.organization_id", "=", organizationId);

export type ConfigRow = Awaited<ReturnType<typeof listConfigs>>[number];

const read = <Row extends { settings: unknown }>(row: Row) => ({
  ...row,
  settings: credentialSettings.parse(row.settings),
});

/** By domain and scheme; reads one row beyond the page. */
export async function listConfigs(db: Db, organizationId: string, { domains, query, limit, after }: ConfigFilter) {
  let found = configs(db, organizationId)
    .orderBy("domains.name")
    .orderBy("config.scheme_name")
    .limit(limit + 1);
  if (domains) found = found.where("domains.name", "in", domains);
  if (query) {
    const pattern = containsPattern(query);
    found = found.where(({ or, eb }) =>
      or([
        eb("domains.name", "ilike", pattern),
        eb("config.scheme_name", "ilike", pattern),
        eb("credentials.name", "ilike", pattern),
      ]),
    );
  }
  if (after) {
    found = found.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("domains.name", "config.scheme_name"), ">", tuple(after.domain, after.schemeName)),
    );
  }
  return (await found.execute()).map(read);
}

export async function findConfig(db: Db, organizationId: string, id: string): Promise<ConfigRow | undefined> {
  const row = await configs(db, organizationId).where("config.id", "=", id).executeTakeFirst();
  return row && read(row);
}

/** Scheme and credential of all configs of these domains: as many as documents have schemes, a handful. */
export async function listConfigsOfDomains(db: Db, organizationId: string, domains: string[]) {
  if (domains.length === 0) return [];
  return await db
    .selectFrom("authorization_configs as config")
    .innerJoin("domains", "domains.id", "config.domain_id")
    .select(["config.scheme_name", "config.credential_id", "domains.name as domain"])
    .where("config.organization_id", "=", organizationId)
    .where("domains.organization_id", "=", organizationId)
    .where("domains.name", "in", domains)
    .limit(1_000)
    .execute();
}

export interface ConfigUse {
  credentialId: string;
  id: string;
  domain: string;
  schemeName: string;
  /** Total for the credential, including omitted ones. */
  total: number;
}

/** Configs that reference each of these credentials, up to the limit per credential, by domain and scheme. */
export async function listConfigsOfCredentials(
  db: Db,
  organizationId: string,
  credentialIds: string[],
  max: number,
): Promise<ConfigUse[]> {
  if (credentialIds.length === 0) return [];
  const ranked = db
    .selectFrom("authorization_configs as config")
    .innerJoin("domains", "domains.id", "config.domain_id")
    .where("config.organization_id", "=", organizationId)
    .where("config.credential_id", "in", credentialIds)
    .select(["config.id", "config.credential_id", "config.scheme_name", "domains.name as domain"])
    .select(({ fn }) => [
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("config.credential_id").orderBy("domains.name").orderBy("config.scheme_name"))
        .as("place"),
      fn
        .countAll<number>()
        .over((over) => over.partitionBy("config.credential_id"))
        .as("total"),
    ])
    .as("ranked");
  const rows = await db
    .selectFrom(ranked)
    .selectAll()
    .where("place", "<=", max)
    .orderBy("domain")
    .orderBy("scheme_name")
    .execute();
  return rows.map(({ id, credential_id, scheme_name, domain, total }) => ({
    ...{ id, domain, credentialId: credential_id, schemeName: scheme_name, total: Number(total) },
  }));
}

/** Throws the database's unique violation when the domain already has one for the scheme. */
export async function insertConfig(db: Db, row: StoredConfig): Promise<void> {
  await db.insertInto("authorization_configs").values(row).execute();
}

/**
 * Throws as `insertConfig`.
 * @returns false when it no longer exists
 */
export async function updateConfig(
  db: Db,
  { id, organization_id }: { id: string; organization_id: string },
  changes: Pick<StoredConfig, "scheme_name" | "credential_id" | "updated_at">,
): Promise<boolean> {
  const result = await db
    .updateTable("authorization_configs")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false when it did not exist */
export async function removeConfig(db: Db, organizationId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom("authorization_configs")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
