import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export async function findOrganization(db: Db, organizationId: string) {
  return await db
    .selectFrom("organizations")
    .selectAll()
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("memberships")
          .select("user_id")
          .where("organization_id", "=", organizationId)
          // Matches the index.
          .where(sql<boolean>`'SYSTEM_ADMIN' = any(roles)`),
      )
        .$castTo<boolean>()
        .as("operates"),
    )
    .where("id", "=", organizationId)
    .executeTakeFirst();
}

export async function listOrganizationNames(db: Db, ids: string[]) {
  if (ids.length === 0) return [];
  return await db.selectFrom("organizations").select(["id", "name"]).where("id", "in", ids).execute();
}

/** Word separators of a name in addition to spaces: the text search parser takes `shop.example` for one word. */
const separators = `.,:;@/_-+&'"()\\`;

/** The words of a name, in the form of their index. */
export const organizationWords = sql`to_tsvector('simple', translate(name, ${sql.lit(separators)}, ${sql.lit(" ".repeat(separators.length))}))`;

/** Organizations whose names contain a word with each of these prefixes, case-insensitively. */
export async function listOrganizationsByWords(db: Db, words: string, limit: number) {
  const beginnings = [...separators]
    .reduce((text, separator) => text.replaceAll(separator, " "), words)
    .split(/[\s\0]+/);
  const wanted = beginnings.filter(Boolean).map((word) => `'${word}':*`);
  if (wanted.length === 0) return [];
  return await db
    .selectFrom("organizations")
    .select(["id", "name"])
    .where(sql<boolean>`${organizationWords} @@ to_tsquery('simple', ${wanted.join(" & ")})`)
    .limit(limit)
    .execute();
}

export async function renameOrganization(transaction: Db, organizationId: string, name: string): Promise<void> {
  await transaction.updateTable("organizations").set({ name }).where("id", "=", organizationId).execute();
}

export async function setSecondFactorRequired(transaction: Db, organizationId: string, required: boolean) {
  await transaction
    .updateTable("organizations")
    .set({ requires_second_factor: required })
    .where("id", "=", organizationId)
    .execute();
}

/**
 * Locks the organization's members and invitations against other changes until the end of the transaction. Sign-ins are
 * not blocked: the lock does not conflict with references to the row.
 * @returns the organization's name
 */
export async function lockOrganization(transaction: Db, organizationId: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name;
}
