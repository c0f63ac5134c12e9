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
import { findSecondFactor, spendChallenge } from "../store/second-factors.ts";
import { type LoginCompletionParts, loginTookTooLong, requireWaitingLogin } from "./login-completion.ts";
import { countCodeTry } from "./one-time-code.ts";
import { credentialRefused, requireRelyingParty } from "./passkeys.ts";
import type { BeginSession } from "./sessions.ts";

/** Creates the handlers that complete a sign-in with a passkey. */
export function createPasskeyLoginHandlers(
  { db, clock, portalOrigin }: Pick<LoginCompletionParts, "db" | "clock" | "portalOrigin">,
  beginSession: BeginSession,
): Pick<Handlers<typeof securityServiceContract>, "beginSecondStep" | "completePasskeyLogin"> {
  return {
    async beginSecondStep({ body: { challenge } }) {
      const now = clock.now();
      const { found, account } = await requireWaitingLogin(db, challenge, now);
      const { userId } = account;
      const app = Boolean((await findSecondFactor(db, userId))?.confirmed_at);
      const passkeys = await listPasskeys(db, userId);
      const party = toRelyingParty(portalOrigin());
      if (passkeys.length === 0 || !party) return { app, passkey: null };
      const passkey = await optionsToUse(party, passkeys);
      const hash = hashMailedToken(passkey.challenge);
      const expiresAt = new Date(now.getTime() + passkeyChallengeMilliseconds);
      await replacePasskeyChallenge(db, { hash, userId, signInHash: found.hash, expiresAt });
      return { app, passkey };
    },

    async completePasskeyLogin({ body: { challenge, credential }, log, record }) {
      const now = clock.now();
      const { found, account, membership } = await requireWaitingLogin(db, challenge, now);
      const { userId, username } = account;
      const takeBack = await countCodeTry(db, userId, now);
      const passkey = await findPasskeyOfCredential(db, userId, credential.id);
      const count =
        passkey &&
        (await countOfUse(credential, passkey, requireRelyingParty(portalOrigin()), (signed) =>
          spendPasskeyChallenge(db, { hash: hashMailedToken(signed), userId, signInHash: found.hash }, now),
        ));
      if (!passkey || count === undefined) {
        log.info({ userId }, "passkey refused");
        throw credentialRefused();
      }
      const audited = {
        ...{ id: passkey.id, organizationId: membership.organizationId, actor: { id: userId, name: username } },
      };
      const isNew = await db.transaction().execute(async (transaction) => {
        const isCounted = await countUse(transaction, passkey.id, count, now);
        const after = isCounted
          ? { signIn: "accepted" }
          : { signIn: "refused: the authenticator's counter went back, so that there may be a copy of the passkey" };
        await record(transaction, { ...audited, after });
        return isCounted;
      });
      if (!isNew) {
        log.warn({ userId, passkeyId: passkey.id }, "passkey refused: its counter went back");
        const message = "This passkey may have been copied, so it was not accepted. Sign in another way and remove it.";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "credential", message }] });
      }
      if (!(await spendChallenge(db, found.hash))) throw loginTookTooLong();
      await takeBack();
      const { userAgent, signedOnAt } = found;
      return await beginSession({ account, membership, userAgent, signedOnAt, now, log });
    },
  };
}
