import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { createSecondFactorEmail } from "../emails/second-factor.ts";
import { hashMailedToken } from "../secrets/mailed-secrets.ts";
import type { RecoveryCodes } from "../secrets/one-time-codes.ts";
import {
  findChallenge,
  findSecondFactor,
  hasSecondFactor,
  spendChallenge,
  spendRecoveryCode,
} from "../store/second-factors.ts";
import { refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { type Account, findAccount, findMembership } from "../store/users.ts";
import { type FullDisk, unlessFull } from "./full-disk.ts";
import { countCodeTry, spendAppCode, wrongCode } from "./one-time-code.ts";
import { type BeginSession, useSingleSignOn } from "./sessions.ts";

export interface LoginCompletionParts {
  db: SecurityDatabase;
  clock: Clock;
  mail: Mail;
  vault: Vault;
  recoveryCodes: RecoveryCodes;
  portalOrigin(): string;
  fullDisk: FullDisk;
}

function noRecovery(): never {
  const message = "The portal's disk is full, so recovery codes can't be used. Use your app or passkey.";
  throw new Problem("invalid_input", undefined, { errors: [{ path: "code", message }] });
}

export const loginTookTooLong = () => new Problem("unauthenticated", "This took too long. Log in again.");

/**
 * The sign-in that a challenge belongs to, and its user.
 * @throws Problem unauthenticated when it has ended
 */
export async function requireWaitingLogin(
  { db, fullDisk }: Pick<LoginCompletionParts, "db" | "fullDisk">,
  challenge: string,
  now: Date,
) {
  const unstored = fullDisk.findChallenge(challenge, now);
  const found = unstored ?? (await findChallenge(db, hashMailedToken(challenge), now));
  if (found && fullDisk.isSpent(found.hash)) throw loginTookTooLong();
  const account = found && (await findAccount(db, found.userId));
  const membership = account && (await findMembership(db, account.userId));
  if (!found || !account || account.disabled || !membership) throw loginTookTooLong();
  if (!(await hasSecondFactor(db, account.userId))) throw loginTookTooLong();
  if (!found.signedOnAt && (await refusesPassword(db, account.userId)))
    throw new Problem("unauthenticated", useSingleSignOn);
  /** @throws Problem unauthenticated when another request did */
  async function spend(): Promise<void> {
    const inMemory = () => fullDisk.spend(found!, now);
    const isSpent = unstored ? inMemory() : await unlessFull(() => spendChallenge(db, found!.hash), inMemory);
    if (!isSpent) throw loginTookTooLong();
  }
  return { found, account, membership, spend };
}

/** Limits tries of the second factor, on a full disk in memory. */
export async function countLoginTry(
  { db, fullDisk }: Pick<LoginCompletionParts, "db" | "fullDisk">,
  userId: string,
  now: Date,
): Promise<() => Promise<void>> {
  const takeBack = await unlessFull(
    () => countCodeTry(db, userId, now),
    () => fullDisk.countCodeTry(userId, now),
  );
  return () => unlessFull(takeBack, () => {});
}

/** Creates the handler that completes a sign-in with a code. */
export function createLoginCompletionHandlers(
  parts: LoginCompletionParts,
  beginSession: BeginSession,
): Pick<Handlers<typeof securityServiceContract>, "completeLogin"> {
  const { db, clock, mail, vault, recoveryCodes, portalOrigin, fullDisk } = parts;

  /** The account's owner is notified of a used recovery code. */
  async function spendRecovery(
    { userId, email }: Account,
    { organizationId }: { organizationId: string },
    code: string,
  ): Promise<boolean> {
    return await db.transaction().execute(async (transaction) => {
      const isRight = await spendRecoveryCode(transaction, userId, recoveryCodes.hash(userId, code));
      if (isRight && email && mail.canSend) {
        await mail.send(transaction, organizationId, [createSecondFactorEmail(email, "recovered", portalOrigin())]);
      }
      return isRight;
    });
  }

  return {
    async completeLogin({ body: { challenge, code }, log }) {
      const now = clock.now();
      const { found, account, membership, spend } = await requireWaitingLogin(parts, challenge, now);
      const factor = await findSecondFactor(db, account.userId);
      const takeBack = await countLoginTry(parts, account.userId, now);
      const isOfApp = factor?.confirmed_at && (await spendAppCode({ db, vault, fullDisk }, factor, code, now));
      const isRight = isOfApp || (await unlessFull(() => spendRecovery(account, membership, code), noRecovery));
      if (!isRight) {
        log.info({ userId: account.userId }, "second factor refused");
        throw wrongCode();
      }
      await spend();
      await takeBack();
      const { userAgent, signedOnAt } = found;
      return await beginSession({ account, membership, userAgent, signedOnAt, now, log });
    },
  };
}
