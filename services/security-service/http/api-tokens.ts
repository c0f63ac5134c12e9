import { uuidv7 } from "uuidv7";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { ApiToken } from "#contracts/security-service/api-tokens.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { accessSecondsUntil } from "../domain/refresh.ts";
import { getScopes } from "../domain/roles.ts";
import { createApiTokenCreatedEmail } from "../emails/api-token.ts";
import { createApiTokenSecret, hashApiToken, isWellFormed } from "../secrets/api-token.ts";
import type { SignAccessToken } from "../secrets/signing-key.ts";
import {
  type ApiTokenRow,
  countOwnApiTokens,
  endOwnApiToken,
  insertApiToken,
  listOwnApiTokens,
  noteApiTokenUse,
} from "../store/api-tokens.ts";
import { findAccount, findMembership } from "../store/users.ts";
import type { OwnAccountParts } from "./own-account.ts";
import { requireOwnAccount } from "./own-password.ts";
import { requirePerson } from "./sessions.ts";

type ApiTokenHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listApiTokens" | "createApiToken" | "revokeApiToken" | "exchangeApiToken"
>;

/** More than a user can tell apart. */
const maxTokens = 50;
const day = 24 * 60 * 60 * 1_000;

function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    ending: row.ending,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

const audited = ({ name, scopes, expires_at }: ApiTokenRow) => ({ name, scopes, expiresAt: expires_at });

/** Creates the handlers of API tokens. */
export function createApiTokenHandlers(
  parts: Omit<OwnAccountParts, "passwords" | "publisher"> & { signAccessToken: SignAccessToken },
) {
  const { db, clock, mail, portalOrigin, signAccessToken } = parts;

  const handlers: ApiTokenHandlers = {
    async listApiTokens({ caller, query: { limit, cursor } }) {
      const beforeId = cursor === undefined ? undefined : readIdCursor(cursor);
      const rows = await listOwnApiTokens(db, requirePerson(caller), { limit, beforeId });
      return pageFrom(rows, limit, (row) => [row.id], toApiToken);
    },

    async createApiToken({ caller, body, log, record }) {
      const now = clock.now();
      const { userId, email } = await requireOwnAccount(db, caller);
      const { organizationId } = caller;
      const { name } = body;
      const { token, hash } = createApiTokenSecret();
      const made = await db.transaction().execute(async (transaction) => {
        // The current roles: an access token may predate a change of them.
        const membership = await findMembership(transaction, userId, organizationId);
        const own = getScopes(membership?.roles ?? []);
        const scopes = [...new Set<Scope>(body.scopes)].sort();
        if (scopes.some((scope) => !own.includes(scope))) {
          const message = "A token can't do more than you may.";
          throw new Problem("invalid_input", undefined, { errors: [{ path: "scopes", message }] });
        }
        if ((await countOwnApiTokens(transaction, { userId, organizationId }, now)) >= maxTokens) {
          throw new Problem("conflict", `You have ${maxTokens} API tokens. Revoke one that is no longer used.`);
        }
        const expiresAt = new Date(now.getTime() + body.expiresInDays * day);
        const ending = token.slice(-4);
        const row = { id: uuidv7(), userId, organizationId, name, hash, ending, scopes, createdAt: now, expiresAt };
        const made = await insertApiToken(transaction, row);
        await record(transaction, { id: made.id, after: audited(made) });
        if (email && mail.canSend) {
          await mail.send(transaction, organizationId, [createApiTokenCreatedEmail(email, name, portalOrigin())]);
        }
        return made;
      });
      log.info({ userId, apiTokenId: made.id }, "API token created");
      return { ...toApiToken(made), token };
    },

    async revokeApiToken({ caller, params, log, record }) {
      const { userId, organizationId } = requirePerson(caller);
      await db.transaction().execute(async (transaction) => {
        const owner = { userId, organizationId };
        const ended = await endOwnApiToken(transaction, owner, params.apiTokenId, clock.now());
        if (!ended) throw new Problem("not_found", "You have no such API token.");
        await record(transaction, { id: ended.id, before: audited(ended) });
      });
      log.info({ userId, apiTokenId: params.apiTokenId }, "API token revoked");
      return undefined;
    },

    async exchangeApiToken({ body: { token } }) {
      const now = clock.now();
      const refused = new Problem("unauthenticated", "This API token is unknown, has expired or was revoked.");
      if (!isWellFormed(token)) throw refused;
      const row = await noteApiTokenUse(db, hashApiToken(token), now);
      if (!row) throw refused;
      const account = await findAccount(db, row.user_id);
      const membership = await findMembership(db, row.user_id, row.organization_id);
      if (!account || account.disabled || !membership) throw refused;
      const { roles, organizationId } = membership;
      const own = getScopes(roles);
      const { userId, username, fullName, email } = account;
      const expiresIn = accessSecondsUntil(row.expires_at, now);
      const scopes = row.scopes.filter((scope) => own.includes(scope));
      const owner = { userId, username, fullName, email, organizationId, roles, scopes };
      const accessToken = await signAccessToken({ ...owner, sessionId: row.id, apiToken: row.name }, now, expiresIn);
      return { accessToken, expiresIn };
    },
  };
  return handlers;
}
