import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Passkey } from "#contracts/security-service/passkeys.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type RelyingParty, toRelyingParty } from "../domain/relying-party.ts";
import { createSecondFactorEmail } from "../emails/second-factor.ts";
import { hashMailedToken } from "../secrets/mailed-secrets.ts";
import { optionsToCreate, passkeyChallengeMilliseconds, readNewCredential } from "../secrets/passkeys.ts";
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  renamePasskey,
  replacePasskeyChallenge,
  spendPasskeyChallenge,
} from "../store/passkeys.ts";
import { deleteCodesWithoutFactor, hasSecondFactor } from "../store/second-factors.ts";
import type { SecurityTransaction } from "../store/tables.ts";
import { lockUser } from "../store/users.ts";
import { requireOwner } from "./own-identity.ts";
import { requireOwnAccount } from "./own-password.ts";
import { storeNewCodes } from "./recovery-codes.ts";
import type { SecondFactorParts } from "./second-factor.ts";

type PasskeyHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listPasskeys" | "beginPasskey" | "addPasskey" | "renamePasskey" | "removePasskey"
>;

/** More devices than anyone signs in with. */
const maxPasskeys = 10;

export const toPasskey = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});

export function requireRelyingParty(portalOrigin: string): RelyingParty {
  const party = toRelyingParty(portalOrigin);
  if (!party)
    throw new Problem("conflict", "Browsers support passkeys only for host names, and PUBLIC_URL is an IP address.");
  return party;
}

export function credentialRefused(): Problem {
  const errors = [{ path: "credential", message: "This passkey was not accepted. Try again." }];
  return new Problem("invalid_input", undefined, { errors });
}

/** Creates the handlers by which users add, rename and remove passkeys of their account. */
export function createPasskeyHandlers(parts: Omit<SecondFactorParts, "vault">) {
  const { db, clock, mail, passwords, portalOrigin, recoveryCodes } = parts;

  function requireQuota(passkeys: readonly PasskeyRow[]): void {
    if (passkeys.length < maxPasskeys) return;
    throw new Problem("conflict", `An account has ${maxPasskeys} passkeys at most. Remove one first.`);
  }

  async function notify(
    transaction: SecurityTransaction,
    { organizationId }: Identity,
    email: string,
    what: "passkeyAdded" | "passkeyRemoved",
  ) {
    if (email && mail.canSend)
      await mail.send(transaction, organizationId, [createSecondFactorEmail(email, what, portalOrigin())]);
  }

  const handlers: PasskeyHandlers = {
    async listPasskeys({ caller }) {
      const { userId } = await requireOwnAccount(db, caller);
      return { items: (await listPasskeys(db, userId)).map(toPasskey) };
    },

    async beginPasskey({ caller, body }) {
      const now = clock.now();
      const account = await requireOwnAccount(db, caller);
      const { userId } = account;
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, now);
      const passkeys = await listPasskeys(db, userId);
      requireQuota(passkeys);
      const options = await optionsToCreate(requireRelyingParty(portalOrigin()), account, passkeys);
      const hash = hashMailedToken(options.challenge);
      const expiresAt = new Date(now.getTime() + passkeyChallengeMilliseconds);
      await replacePasskeyChallenge(db, { hash, userId, signInHash: null, expiresAt });
      return options;
    },

    async addPasskey({ caller, body: { name, credential }, log, record }) {
      const now = clock.now();
      const { userId, email } = await requireOwnAccount(db, caller);
      const made = await readNewCredential(credential, requireRelyingParty(portalOrigin()), (challenge) =>
        spendPasskeyChallenge(db, { hash: hashMailedToken(challenge), userId, signInHash: null }, now),
      );
      if (!made) throw credentialRefused();
      const row = { id: uuidv7(), user_id: userId, ...made, name, created_at: now, last_used_at: null };
      const codes = await db.transaction().execute(async (transaction) => {
        await lockUser(transaction, userId);
        requireQuota(await listPasskeys(transaction, userId));
        const isFirst = !(await hasSecondFactor(transaction, userId));
        if (!(await insertPasskey(transaction, row))) throw new Problem("conflict", "This passkey is in use already.");
        await record(transaction, { id: row.id, after: { name } });
        await notify(transaction, caller, email, "passkeyAdded");
        return isFirst ? await storeNewCodes(transaction, recoveryCodes, userId) : [];
      });
      log.info({ userId, passkeyId: row.id }, "passkey added");
      return { passkey: toPasskey(row), recoveryCodes: codes };
    },

    async renamePasskey({ caller, params: { passkeyId }, body: { name }, record }) {
      const { userId } = await requireOwnAccount(db, caller);
      return await db.transaction().execute(async (transaction) => {
        const before = await findPasskey(transaction, userId, passkeyId);
        if (!before) throw notFound("passkey");
        await renamePasskey(transaction, userId, passkeyId, name);
        await record(transaction, { id: passkeyId, before: { name: before.name }, after: { name } });
        return toPasskey({ ...before, name });
      });
    },

    async removePasskey({ caller, params: { passkeyId }, body, log, record }) {
      const account = await requireOwnAccount(db, caller);
      const { userId, email } = account;
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, clock.now());
      await db.transaction().execute(async (transaction) => {
        const before = await findPasskey(transaction, userId, passkeyId);
        if (!before) throw notFound("passkey");
        await deletePasskey(transaction, userId, passkeyId);
        await deleteCodesWithoutFactor(transaction, userId);
        await record(transaction, { id: passkeyId, before: { name: before.name } });
        await notify(transaction, caller, email, "passkeyRemoved");
      });
      log.info({ userId, passkeyId }, "passkey removed");
      return undefined;
    },
  };
  return handlers;
}
