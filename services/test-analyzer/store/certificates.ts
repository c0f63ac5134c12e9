import { type Selectable, type SqlBool, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type CertificateRow = Selectable<AnalyzerTables["certificates"]>;

/** Days of the last warning for the certificate with this expiry; null when that warning was for another one. */
export function getWarnedDays(
  { warned_days, warned_valid_to }: Pick<CertificateRow, "warned_days" | "warned_valid_to">,
  validTo: Date,
): number | null {
  return warned_valid_to?.getTime() === validTo.getTime() ? warned_days : null;
}

export async function findCertificate(
  transaction: AnalyzerTransaction,
  organizationId: string,
  host: string,
): Promise<CertificateRow | undefined> {
  return await transaction
    .selectFrom("certificates")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("host", "=", host)
    .executeTakeFirst();
}

/** One row per host; the last warning is preserved. */
export async function storeCertificate(transaction: AnalyzerTransaction, row: CertificateRow): Promise<void> {
  const { api_id, valid_to, subject, issuer, seen_at, warn_at } = row;
  await transaction
    .insertInto("certificates")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "host"])
        .doUpdateSet({ api_id, valid_to, subject, issuer, seen_at, warn_at }),
    )
    .execute();
}

/** Earliest expiry first; one row more than the page. */
export async function listCertificates(
  db: Db,
  organizationId: string,
  page: { host?: string; apiId?: string; seenSince: Date; after?: { moment: string; id: string }; limit: number },
): Promise<CertificateRow[]> {
  const { host, apiId, after } = page;
  let query = db
    .selectFrom("certificates")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("seen_at", ">=", page.seenSince)
    .orderBy("valid_to")
    .orderBy("id")
    .limit(page.limit + 1);
  if (host) query = query.where("host", "=", host.toLowerCase());
  if (apiId) query = query.where("api_id", "=", apiId);
  if (after) query = query.where(sql<SqlBool>`(valid_to, id) > (${after.moment}::timestamptz, ${after.id}::uuid)`);
  return await query.execute();
}

/** Organizations with a due certificate warning. */
export async function listDueCertificates(db: Db, now: Date): Promise<{ organization_id: string }[]> {
  return await db.selectFrom("certificates").select("organization_id").distinct().where("warn_at", "<=", now).execute();
}

export async function findDueCertificates(
  transaction: AnalyzerTransaction,
  organizationId: string,
  now: Date,
): Promise<CertificateRow[]> {
  return await transaction
    .selectFrom("certificates")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("warn_at", "<=", now)
    .orderBy("valid_to")
    .execute();
}

export async function updateWarned(
  transaction: AnalyzerTransaction,
  { id, ...warned }: Pick<CertificateRow, "id" | "warned_days" | "warned_valid_to" | "warn_at">,
): Promise<void> {
  await transaction.updateTable("certificates").set(warned).where("id", "=", id).execute();
}

/** Deletes certificates of a deleted API; when another API's tests meet the host, it is stored again. */
export async function deleteCertificates(db: Db, organizationId: string, apiId: string): Promise<void> {
  await db
    .deleteFrom("certificates")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .execute();
}

/** @returns the number of deleted rows */
export async function deleteCertificatesUnseen(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table("certificates")} where id in (
      select id from ${table("certificates")} where seen_at < ${since}::timestamptz limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
