import { Problem } from "#contracts/kit/problem.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import { codeMilliseconds, codeWindowMilliseconds, judgeCode, secondsUntilNextCode } from "../domain/mailed-code.ts";
import type { LinkPurpose } from "../domain/mailed-link.ts";
import { createCodeEmail } from "../emails/code.ts";
import { hashMailedToken, type MailedCodes } from "../secrets/mailed-secrets.ts";
import { countLinkTry, lockLink, type MailedLink, storeCode } from "../store/mailed-links.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requireLive } from "./mailed-links.ts";

export interface CodeParts {
  db: SecurityDatabase;
  mail: Mail;
  codes: MailedCodes;
}

function inWords(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}

/** Mails a new code to the address of a link; it replaces the previous code. */
export async function mailCode(
  { db, mail, codes }: CodeParts,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<{ expiresAt: string }> {
  const code = codes.create();
  const expiresAt = new Date(now.getTime() + codeMilliseconds);
  await db.transaction().execute(async (transaction) => {
    const link = requireLive(await lockLink(transaction, purpose, hashMailedToken(token)), now);
    const wait = secondsUntilNextCode(link.codesSentAt, now);
    if (wait > 0) {
      throw new Problem("too_many_requests", `A code was already sent. Wait ${inWords(wait)} for another one.`, {
        retryAfterSeconds: wait,
      });
    }
    const recently = link.codesSentAt.filter((sentAt) => now.getTime() - sentAt.getTime() < codeWindowMilliseconds);
    const hash = codes.hash(link.id, code);
    await storeCode(transaction, link.id, { hash, expiresAt, sentAt: [...recently, now] });
    await mail.send(transaction, null, [createCodeEmail(link.email, code)]);
  });
  return { expiresAt: expiresAt.toISOString() };
}

const refusals = {
  wrong: "That code isn't right. Check the latest email or request a new code.",
  ended: "There is no valid code. Have a new one sent.",
};

/**
 * Counts one try of a link with a code, committed before the result is known: a later failure does not use up a code,
 * and parallel guesses get no extra tries.
 * @throws Problem invalid_input at `code`
 */
export async function requireRightCode(
  { db, codes }: Pick<CodeParts, "db" | "codes">,
  purpose: LinkPurpose,
  { token, code }: { token: string; code: string },
  now: Date,
): Promise<MailedLink> {
  const { link, verdict } = await db.transaction().execute(async (transaction) => {
    const link = requireLive(await lockLink(transaction, purpose, hashMailedToken(token)), now);
    const verdict = judgeCode(link.code, codes.hash(link.id, code), now);
    await countLinkTry(transaction, link.id, verdict === "wrong");
    return { link, verdict };
  });
  if (verdict === "right") return link;
  throw new Problem("invalid_input", undefined, { errors: [{ path: "code", message: refusals[verdict] }] });
}
