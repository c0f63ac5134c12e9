import type { Executor } from "../../kit/database/database.ts";
import type { MailedCode } from "../domain/mailed-code.ts";
import type { LinkPurpose, LinkState } from "../domain/mailed-link.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export interface MailedLink extends LinkState {
  id: string;
  subjectId: string | null;
  email: string;
  code: MailedCode;
  codesSentAt: Date[];
}

export interface NewLink {
  id: string;
  tokenHash: string;
  purpose: LinkPurpose;
  subjectId: string | null;
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertLinks(db: Db, links: NewLink[]): Promise<void> {
  await db
    .insertInto("mailed_links")
    .values(
      links.map((link) => ({
        id: link.id,
        token_hash: link.tokenHash,
        purpose: link.purpose,
        subject_id: link.subjectId,
        email: link.email,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
        used_at: null,
      })),
    )
    .execute();
}

function selectLink(db: Db, purpose: LinkPurpose, tokenHash: string) {
  return db.selectFrom("mailed_links").selectAll().where("token_hash", "=", tokenHash).where("purpose", "=", purpose);
}

function getLink(row: Awaited<ReturnType<ReturnType<typeof selectLink>["executeTakeFirst"]>>): MailedLink | undefined {
  return (
    row && {
      id: row.id,
      subjectId: row.subject_id,
      email: row.email,
      expiresAt: row.expires_at,
      usedAt: row.used_at,
      tries: row.tries,
      code: { hash: row.code_hash, expiresAt: row.code_expires_at, wrongTries: row.code_tries },
      codesSentAt: row.codes_sent_at,
    }
  );
}

export async function findLink(db: Db, purpose: LinkPurpose, tokenHash: string): Promise<MailedLink | undefined> {
  return getLink(await selectLink(db, purpose, tokenHash).executeTakeFirst());
}

/** The newest valid link of this purpose that leads to `subjectId`. */
export async function findLiveLink(
  db: Db,
  purpose: LinkPurpose,
  subjectId: string,
  now: Date,
): Promise<{ email: string; expiresAt: Date } | undefined> {
  return await db
    .selectFrom("mailed_links")
    .select(["email", "expires_at as expiresAt"])
    .where("subject_id", "=", subjectId)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Locks the link until the end of the transaction, so that parallel guesses are counted one at a time. */
export async function lockLink(
  transaction: Db,
  purpose: LinkPurpose,
  tokenHash: string,
): Promise<MailedLink | undefined> {
  return getLink(await selectLink(transaction, purpose, tokenHash).forUpdate().executeTakeFirst());
}

export async function countLinkTry(transaction: Db, linkId: string, isWrong: boolean): Promise<void> {
  await transaction
    .updateTable("mailed_links")
    .set((row) => ({ tries: row("tries", "+", 1), code_tries: row("code_tries", "+", isWrong ? 1 : 0) }))
    .where("id", "=", linkId)
    .execute();
}

/** Sets the link's code and resets its tries. */
export async function storeCode(
  transaction: Db,
  linkId: string,
  code: { hash: string; expiresAt: Date; sentAt: Date[] },
): Promise<void> {
  await transaction
    .updateTable("mailed_links")
    .set({ code_hash: code.hash, code_expires_at: code.expiresAt, code_tries: 0, codes_sent_at: code.sentAt })
    .where("id", "=", linkId)
    .execute();
}

/**
 * Consumes a link, in the transaction that does what it is for.
 * @returns false when it was consumed already
 */
export async function useLink(transaction: Db, linkId: string, now: Date): Promise<boolean> {
  const result = await transaction
    .updateTable("mailed_links")
    .set({ used_at: now })
    .where("id", "=", linkId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Invalidates every link of this purpose that leads to `subjectId`. */
export async function endLinks(db: Db, purpose: LinkPurpose, subjectId: string, now: Date): Promise<void> {
  await db
    .updateTable("mailed_links")
    .set({ used_at: now })
    .where("subject_id", "=", subjectId)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .execute();
}

/** Deletes ended links, along with the registrations they belong to. */
export async function purgeLinks(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("mailed_links").where("expires_at", "<", expiredBefore).execute();
  await db.deleteFrom("registrations").where("expires_at", "<", expiredBefore).execute();
}
