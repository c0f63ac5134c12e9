import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { toRelyingParty } from "../domain/relying-party.ts";
import { hashMailedToken } from "../secrets/mailed-secrets.ts";
import { countOfUse, optionsToUse, passkeyChallengeMilliseconds } from "../secrets/passkeys.ts";
import {
  countUse,
  findPasskeyOfCredential,
  listPasskeys,
  replacePasskeyChallenge,
  spendPasskeyChallenge,
} from "../store/passkeys.ts";
import { findSecondFactor } from "../store/second-factors.ts";
import { unlessFull } from "./full-disk.ts";
import { countLoginTry, type LoginCompletionParts, requireWaitingLogin } from "./login-completion.ts";
import { credentialRefused, requireRelyingParty } from "./passkeys.ts";
import type { BeginSession } from "./sessions.ts";

/** Creates the handlers that complete a sign-in with a passkey. */
export function createPasskeyLoginHandlers(
  parts: Pick<LoginCompletionParts, "db" | "clock" | "portalOrigin" | "fullDisk">,
  beginSession: BeginSession,
): Pick<Handlers<typeof securityServiceContract>, "beginSecondStep" | "completePasskeyLogin"> {
  const { db, clock, portalOrigin, fullDisk } = parts;
  return {
    async beginSecondStep({ body: { challenge } }) {
      const now = clock.now();
      const { found, account } = await requireWaitingLogin(parts, challenge, now);
      const { userId } = account;
      const app = Boolean((await findSecondFactor(db, userId))?.confirmed_at);
      const passkeys = await listPasskeys(db, userId);
      const party = toRelyingParty(portalOrigin());
      if (passkeys.length === 0 || !party) return { app, passkey: null };
      const passkey = await optionsToUse(party, passkeys);
      const hash = hashMailedToken(passkey.challenge);
      const expiresAt = new Date(now.getTime() + passkeyChallengeMilliseconds);
      return await unlessFull(
        async () => {
          await replacePasskeyChallenge(db, { hash, userId, signInHash: found.hash, expiresAt });
          return { app, passkey };
        },
        () => ({ app, passkey: { ...passkey, challenge: fullDisk.toPasskeyChallenge(found.hash) } }),
      );
    },

    async completePasskeyLogin({ body: { challenge, credential }, log, record }) {
      const now = clock.now();
      const { found, account, membership, spend } = await requireWaitingLogin(parts, challenge, now);
      const { userId, username } = account;
      const takeBack = await countLoginTry(parts, userId, now);
      const passkey = await findPasskeyOfCredential(db, userId, credential.id);
      const spendSigned = async (signed: string) => {
        const hash = hashMailedToken(signed);
        // The one given on a full disk. It is used once, since the sign-in's own challenge is.
        if (signed === fullDisk.toPasskeyChallenge(found.hash)) return fullDisk.spend({ ...found, hash }, now);
        return await spendPasskeyChallenge(db, { hash, userId, signInHash: found.hash }, now);
      };
      const count =
        passkey && (await countOfUse(credential, passkey, requireRelyingParty(portalOrigin()), spendSigned));
      if (!passkey || count === undefined) {
        log.info({ userId }, "passkey refused");
        throw credentialRefused();
      }
      const audited = {
        ...{ id: passkey.id, organizationId: membership.organizationId, actor: { id: userId, name: username } },
      };
      const storeUse = () =>
        db.transaction().execute(async (transaction) => {
          const isCounted = await countUse(transaction, passkey.id, count, now);
          const after = isCounted
            ? { signIn: "accepted" }
            : { signIn: "refused: the authenticator's counter went back, so that there may be a copy of the passkey" };
          await record(transaction, { ...audited, after });
          return isCounted;
        });
      const isNew = await unlessFull(storeUse, () => fullDisk.countUse(passkey, count));
      if (!isNew) {
        log.warn({ userId, passkeyId: passkey.id }, "passkey refused: its counter went back");
        const message = "This passkey may have been copied, so it was not accepted. Sign in another way and remove it.";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "credential", message }] });
      }
      await spend();
      await takeBack();
      const { userAgent, signedOnAt } = found;
      return await beginSession({ account, membership, userAgent, signedOnAt, now, log });
    },
  };
}
