import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import { isLive, type LinkPurpose, linkMilliseconds } from "../domain/mailed-link.ts";
import { createMailedToken, hashMailedToken } from "../secrets/mailed-secrets.ts";
import { findLink, type MailedLink, type NewLink } from "../store/mailed-links.ts";
import type { SecurityDatabase } from "../store/tables.ts";

/** A link to store, and its token, which is only in the email. */
export function createLink(
  purpose: LinkPurpose,
  { subjectId, email, now }: { subjectId: string | null; email: string; now: Date },
): { token: string; link: NewLink } {
  const { token, hash } = createMailedToken();
  const expiresAt = new Date(now.getTime() + linkMilliseconds[purpose]);
  return { token, link: { id: uuidv7(), tokenHash: hash, purpose, subjectId, email, createdAt: now, expiresAt } };
}

/** The same problem for unknown, used, cancelled and expired links. */
export function linkEnded(): Problem {
  return new Problem("not_found", "This link has ended or was used already.");
}

export function requireLive(link: MailedLink | undefined, now: Date): MailedLink {
  if (!link || !isLive(link, now)) throw linkEnded();
  return link;
}

/** Reads a link and changes nothing. */
export async function requireLink(
  db: SecurityDatabase,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<MailedLink> {
  return requireLive(await findLink(db, purpose, hashMailedToken(token)), now);
}
