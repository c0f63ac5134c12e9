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
          // As the index has it.
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

/** What parts words of a name, beside spaces: the parser of texts takes `shop.example` for one word. */
const separators = `.,:;@/_-+&'"()\\`;

/** The words of a name, as their index has them. */
export const organizationWords = sql`to_tsvector('simple', translate(name, ${sql.lit(separators)}, ${sql.lit(" ".repeat(separators.length))}))`;

/** Those in whose names every one of these words begins a word, whatever its case. */
export async function listOrganizationsByWords(db: Db, words: string, limit: number) {
  const beginnings = [...separators].reduce((text, separator) => text.replaceAll(separator, " "), words).split(/\s+/);
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
 * Makes whoever else wants to change the organization's members or invitations wait until this transaction ends. Signing
 * in goes on: the lock leaves references to the row alone. @returns the organization's name
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
