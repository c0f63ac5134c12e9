import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { createSecondFactorEmail } from "../emails/second-factor.ts";
import { createTotpSecret, type RecoveryCodes, toUri } from "../secrets/one-time-codes.ts";
import { countPasskeys } from "../store/passkeys.ts";
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  findSecondFactor,
  hasSecondFactor,
} from "../store/second-factors.ts";
import type { SecurityTransaction } from "../store/tables.ts";
import { countCodeTry, spendAppCode, toSecretLocation, wrongCode } from "./one-time-code.ts";
import type { OwnAccountParts } from "./own-account.ts";
import { requireOwner } from "./own-identity.ts";
import { requireOwnAccount } from "./own-password.ts";
import { storeNewCodes } from "./recovery-codes.ts";

type SecondFactorHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "getSecondFactor" | "beginSecondFactor" | "confirmSecondFactor" | "renewRecoveryCodes" | "removeSecondFactor"
>;

export interface SecondFactorParts extends Omit<OwnAccountParts, "publisher"> {
  vault: Vault;
  recoveryCodes: RecoveryCodes;
}

/** Creates the handlers by which users switch their second factor on and off. */
export function createSecondFactorHandlers(parts: SecondFactorParts) {
  const { db, clock, mail, passwords, portalOrigin, vault, recoveryCodes } = parts;

  async function notify(
    transaction: SecurityTransaction,
    { organizationId }: Identity,
    email: string,
    what: "on" | "off" | "appOff",
  ): Promise<void> {
    if (email && mail.canSend)
      await mail.send(transaction, organizationId, [createSecondFactorEmail(email, what, portalOrigin())]);
  }

  const handlers: SecondFactorHandlers = {
    async getSecondFactor({ caller }) {
      const { userId } = await requireOwnAccount(db, caller);
      const enabledAt = (await findSecondFactor(db, userId))?.confirmed_at;
      const passkeys = await countPasskeys(db, userId);
      return {
        enabled: Boolean(enabledAt),
        enabledAt: enabledAt?.toISOString() ?? null,
        passkeys,
        recoveryCodesLeft: enabledAt || passkeys > 0 ? await countRecoveryCodes(db, userId) : 0,
      };
    },

    async beginSecondFactor({ caller, body, record }) {
      const now = clock.now();
      const account = await requireOwnAccount(db, caller);
      const { userId, username } = account;
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, now);
      const secret = createTotpSecret();
      const sealedSecret = vault.seal(secret, toSecretLocation(userId));
      await db.transaction().execute(async (transaction) => {
        const isBegun = await beginFactor(transaction, { userId, sealedSecret, now });
        if (!isBegun) throw new Problem("conflict", "There is a second factor. Switch it off first.");
        await record(transaction, { id: userId, after: { begun: true } });
      });
      return { uri: toUri(secret, username) };
    },

    async confirmSecondFactor({ caller, body, log, record }) {
      const now = clock.now();
      const { userId, email } = await requireOwnAccount(db, caller);
      const factor = await findSecondFactor(db, userId);
      if (!factor || factor.confirmed_at) throw new Problem("conflict", "There is nothing to confirm. Start over.");
      const takeBack = await countCodeTry(db, userId, now);
      if (!(await spendAppCode({ db, vault }, factor, body.code, now))) throw wrongCode();
      await takeBack();
      const codes = await db.transaction().execute(async (transaction) => {
        const isConfirmed = await confirmFactor(transaction, userId, now);
        if (!isConfirmed) throw new Problem("conflict", "There is nothing to confirm. Start over.");
        await record(transaction, { id: userId, after: { enabled: true } });
        await notify(transaction, caller, email, "on");
        return await storeNewCodes(transaction, recoveryCodes, userId);
      });
      log.info({ userId }, "second factor switched on");
      return { recoveryCodes: codes };
    },

    async renewRecoveryCodes({ caller, body, record }) {
      const account = await requireOwnAccount(db, caller);
      const { userId } = account;
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, clock.now());
      if (!(await hasSecondFactor(db, userId))) throw new Problem("conflict", "There is no second factor.");
      const codes = await db.transaction().execute(async (transaction) => {
        await record(transaction, { id: userId, after: { recoveryCodes: "renewed" } });
        return await storeNewCodes(transaction, recoveryCodes, userId);
      });
      return { recoveryCodes: codes };
    },

    async removeSecondFactor({ caller, body, log, record }) {
      const account = await requireOwnAccount(db, caller);
      const { userId, email } = account;
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, clock.now());
      await db.transaction().execute(async (transaction) => {
        const wasOn = Boolean((await findSecondFactor(transaction, userId))?.confirmed_at);
        await deleteFactor(transaction, userId);
        await record(transaction, { id: userId, before: { enabled: wasOn }, after: { enabled: false } });
        const isLast = !(await hasSecondFactor(transaction, userId));
        if (wasOn) await notify(transaction, caller, email, isLast ? "off" : "appOff");
      });
      log.info({ userId }, "second factor switched off");
      return undefined;
    },
  };
  return handlers;
}
