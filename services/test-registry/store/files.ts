import { sql } from "kysely";
import { schemaName, type TestDatabase, type TestTransaction } from "./tables.ts";

const files = sql.id(schemaName, "test_files");
const tests = sql.id(schemaName, "tests");

interface OwnedFile {
  organizationId: string;
  sha256: string;
}

/** Until the end of the transaction no other stores a file of this organization, so that together they fit. */
export async function lockFiles(transaction: TestTransaction, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 7207))`.execute(transaction);
}

/** Bytes of all files of an organization. */
export async function sumFileSizes(db: TestDatabase, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom("test_files")
    .select((of) => of.fn.sum<string | null>("size").as("total"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(row.total ?? 0);
}

export async function insertFile(
  db: TestDatabase,
  { organizationId, sha256 }: OwnedFile,
  bytes: Uint8Array,
  now: Date,
): Promise<void> {
  await db
    .insertInto("test_files")
    .values({ organization_id: organizationId, sha256, bytes: Buffer.from(bytes), size: bytes.length, used_at: now })
    .execute();
}

/**
 * Notes that files are used, so that they are not deleted meanwhile. Their rows are locked in order, so that two tests
 * with the same files don't wait for each other.
 * @returns the sizes of those that are stored, by hash
 */
export async function touchFiles(
  db: TestDatabase,
  organizationId: string,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const locked = db
    .selectFrom("test_files")
    .select("sha256")
    .where("organization_id", "=", organizationId)
    .where("sha256", "=", sql<string>`any(${[...new Set(hashes)]}::text[])`)
    .orderBy("sha256")
    .forUpdate();
  const rows = await db
    .with("locked", () => locked)
    .updateTable("test_files")
    .set({ used_at: now })
    .where("organization_id", "=", organizationId)
    .where("sha256", "in", (of) => of.selectFrom("locked").select("sha256"))
    .returning(["sha256", "size"])
    .execute();
  return new Map(rows.map(({ sha256, size }) => [sha256, size]));
}

export async function findFileBytes(db: TestDatabase, file: OwnedFile): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("test_files")
    .select("bytes")
    .where("organization_id", "=", file.organizationId)
    .where("sha256", "=", file.sha256)
    .executeTakeFirst();
  return row?.bytes;
}

/** Files of every organization that a test names count as used now; those in use by another transaction are left out. */
export async function touchNamedFiles(db: TestDatabase, now: Date): Promise<void> {
  await sql`
    with named as (
      select distinct organization_id, unnest(named_files) as sha256 from ${tests} where named_files <> '{}'
    ), free as (
      select file.organization_id, file.sha256 from ${files} file
      join named on named.organization_id = file.organization_id and named.sha256 = file.sha256
      for update of file skip locked
    )
    update ${files} file set used_at = ${now} from free
    where file.organization_id = free.organization_id and file.sha256 = free.sha256`.execute(db);
}

/** @returns how many files of all organizations were deleted */
export async function deleteUnusedFiles(db: TestDatabase, unusedSince: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("test_files").where("used_at", "<", unusedSince).executeTakeFirst();
  return Number(numDeletedRows);
}
