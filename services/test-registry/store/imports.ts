import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { json } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase, type TestTransaction } from "./tables.ts";

/** Files of previews, and results of imports for their repetition by key. */
export async function createImports(db: Kysely<AnyTables>): Promise<void> {
  const imports = sql.id(schemaName, "imports");
  await sql`
    create table ${imports} (
      id uuid primary key,
      organization_id uuid not null,
      files text,
      result json,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index imports_expiry on ${imports} (organization_id, expires_at)`.execute(db);
}

interface Owned {
  organizationId: string;
  id: string;
}

async function removeExpired(db: TestDatabase, organizationId: string, now: Date): Promise<void> {
  await db.deleteFrom("imports").where("organization_id", "=", organizationId).where("expires_at", "<=", now).execute();
}

/** Of all organizations. */
export async function removeExpiredImports(db: TestDatabase, now: Date): Promise<void> {
  await db.deleteFrom("imports").where("expires_at", "<=", now).execute();
}

/** Drafts of an organization that are stored at once. */
const maxDrafts = 20;

/** Stores the encrypted files of a preview. Removes what has expired, and the oldest drafts beyond the limit. */
export async function insertDraft(
  db: TestDatabase,
  { organizationId, id, files, expiresAt, now }: Owned & { files: string; expiresAt: Date; now: Date },
): Promise<void> {
  await removeExpired(db, organizationId, now);
  await db
    .deleteFrom("imports")
    .where("organization_id", "=", organizationId)
    .where("files", "is not", null)
    .where("id", "not in", (select) =>
      select
        .selectFrom("imports")
        .select("id")
        .where("organization_id", "=", organizationId)
        .where("files", "is not", null)
        .orderBy("id", "desc")
        .limit(sql.lit(maxDrafts - 1)),
    )
    .execute();
  const row = { id, organization_id: organizationId, files, result: null, expires_at: expiresAt };
  await db.insertInto("imports").values(row).execute();
}

/** The encrypted files of a draft that has not expired. */
export async function findDraft(
  db: TestDatabase,
  { organizationId, id }: Owned,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("imports")
    .select("files")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.files ?? undefined;
}

export async function insertResult(
  transaction: TestTransaction,
  { organizationId, id, result, expiresAt, now }: Owned & { result: unknown; expiresAt: Date; now: Date },
): Promise<void> {
  await removeExpired(transaction, organizationId, now);
  const row = { id, organization_id: organizationId, files: null, result: json(result), expires_at: expiresAt };
  await transaction.insertInto("imports").values(row).execute();
}

export async function findResult(db: TestDatabase, { organizationId, id }: Owned): Promise<unknown> {
  const row = await db
    .selectFrom("imports")
    .select("result")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.result ?? undefined;
}
