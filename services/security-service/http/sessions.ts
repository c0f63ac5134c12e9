import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SignedIn } from "#contracts/security-service/sessions.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { Authenticate, Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { emailKey } from "../domain/email.ts";
import {
  accessSecondsUntil,
  accessTokenSeconds,
  portalGraceMilliseconds,
  refreshGraceMilliseconds,
  sessionLifetimeMilliseconds,
} from "../domain/refresh.ts";
import { getScopes } from "../domain/roles.ts";
import { clientGroup } from "../domain/try-limit.ts";
import { usernameKey } from "../domain/username.ts";
import type { Passwords } from "../secrets/passwords.ts";
import type { RefreshTokens } from "../secrets/refresh-token.ts";
import type { SignAccessToken } from "../secrets/signing-key.ts";
import {
  endOwnSession,
  endSession,
  endSessionOfToken,
  findSessionOfToken,
  insertSession,
  listLivingSessions,
  rotateRefreshToken,
} from "../store/sessions.ts";
import { listPublicKeys } from "../store/signing-keys.ts";
import { refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { type Account, findAccount, findAccountByName, findMembership, type Membership } from "../store/users.ts";
import { readClient } from "./client.ts";
import { type FullDisk, isOperator, onlyOperators, unlessFull } from "./full-disk.ts";
import { type AdmittedTry, admitLoginTry, isFromKnownAddress } from "./login-limits.ts";
import { requireNoSecondFactor } from "./second-step.ts";

export interface SessionParts {
  db: SecurityDatabase;
  clock: Clock;
  readTime: SharedClock;
  passwords: Passwords;
  signAccessToken: SignAccessToken;
  refreshTokens: RefreshTokens;
  authenticate: Authenticate;
  fullDisk: FullDisk;
}

/** Starts the session of an authenticated user. */
export type BeginSession = (signedIn: {
  account: Account;
  membership: Membership;
  /** Their organization's provider asked for a second factor. */
  factorAtProvider?: boolean;
  /** When they signed in there; null: with a password. */
  signedOnAt: Date | null;
  userAgent: string;
  now: Date;
  log: Logger;
}) => Promise<SignedIn>;

type SessionHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "login" | "refresh" | "refreshForPortal" | "continueAccess" | "logout" | "getKeys" | "listSessions" | "endSession"
>;

type SessionRow = Parameters<typeof placed>[0] & {
  user_id: string;
  organization_id: string;
  signed_on_at: Date | null;
};

const longestPassword = 1_000;
export const useSingleSignOn = "Your organization takes no passwords. Log in with single sign-on instead.";
const sessionEnded = () => new Problem("unauthenticated", "This session has ended. Sign in again.");
const placed = (row: { id: string; expires_at: Date; factor_at_provider: boolean }) => ({
  ...{ id: row.id, expiresAt: row.expires_at, factorAtProvider: row.factor_at_provider },
});

function readHeader(request: Request, name: string): string {
  const value = request.headers.get(name);
  if (!value) throw new Problem("malformed_request", "Send the headers username and password, percent-encoded.");
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Problem("malformed_request", `The header ${name} is not percent-encoded UTF-8.`);
  }
}

/** For calls about people: a service, which may make any call, has no account, and API tokens must not reach one. */
export function requirePerson(caller: Identity): Identity {
  if (caller.kind !== "user") throw notFound("session");
  return caller;
}

/** A user's live sessions in an organization, as the caller sees them. */
export async function pageOfSessions(
  db: SecurityDatabase,
  owner: { userId: string; organizationId: string },
  requesting: Identity,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now: Date,
) {
  const beforeId = cursor === undefined ? undefined : readIdCursor(cursor);
  const rows = await listLivingSessions(db, owner, { limit, ...(beforeId ? { beforeId } : {}) }, now);
  return pageFrom(
    rows,
    limit,
    (row) => [row.id],
    (row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      userAgent: row.user_agent,
      current: row.id === requesting.sessionId,
    }),
  );
}

/** Creates the handlers of signing in, refreshing and signing out. */
export function createSessionHandlers(parts: SessionParts) {
  const { db, clock, readTime, passwords, signAccessToken, refreshTokens, authenticate, fullDisk } = parts;

  async function answerSignedIn(
    account: Account,
    membership: Membership,
    session: { id: string; expiresAt: Date; factorAtProvider: boolean },
    refreshToken: string,
    now: Date,
  ): Promise<SignedIn> {
    const { roles, needsSecondFactor } = membership;
    const scopes = getScopes(roles);
    const expiresIn = accessSecondsUntil(session.expiresAt, now);
    const { userId, username, fullName, email, timeZone } = account;
    const accessToken = await signAccessToken(
      {
        userId,
        username,
        fullName,
        email,
        timeZone,
        organizationId: membership.organizationId,
        sessionId: session.id,
        factorAtProvider: session.factorAtProvider,
        roles,
        scopes,
      },
      now,
      expiresIn,
    );
    return { accessToken, expiresIn, refreshToken, roles, scopes, needsSecondFactor };
  }

  /** The session's user if they may still sign in; otherwise the session ends. */
  async function requireHolder(session: SessionRow) {
    const account = await findAccount(db, session.user_id);
    const factorAtProvider = session.factor_at_provider;
    const membership = await findMembership(db, session.user_id, session.organization_id, { factorAtProvider });
    const mayGoOn = account && !account.disabled && membership;
    // Also when single sign-on became required without a change of its settings: a domain proven again, a role removed.
    const isRefused = mayGoOn && !session.signed_on_at && (await refusesPassword(db, session.user_id));
    if (mayGoOn && !isRefused) return { account, membership };
    await endSession(db, session.id, isRefused ? "single_sign_on_required" : "user_disabled", clock.now());
    throw sessionEnded();
  }

  async function refresh(token: string, graceMilliseconds: number, log: Logger): Promise<SignedIn> {
    // The parallel requests of one browser may reach processes whose clocks differ by more than the grace period.
    const now = await readTime();
    const rotation = await db
      .transaction()
      .execute((transaction) => rotateRefreshToken(transaction, refreshTokens, { token, graceMilliseconds }, now));
    if (rotation.outcome === "refused") throw sessionEnded();
    const { session } = rotation;
    if (rotation.outcome === "reused") {
      log.warn({ userId: session.user_id, sessionId: session.id }, "a spent refresh token came back; session ended");
      throw sessionEnded();
    }
    const { account, membership } = await requireHolder(session);
    return await answerSignedIn(account, membership, placed(session), rotation.token, clock.now());
  }

  const beginSession: BeginSession = async (signedIn) => {
    const { account, membership, factorAtProvider = false, signedOnAt, userAgent, now, log } = signedIn;
    const refreshToken = refreshTokens.create();
    const expiresAt = new Date(now.getTime() + sessionLifetimeMilliseconds);
    const session = { id: uuidv7(), expiresAt, factorAtProvider };
    const isStored = await unlessFull(
      async () => {
        await db.transaction().execute((transaction) =>
          insertSession(transaction, {
            ...session,
            signedOnAt,
            userId: account.userId,
            organizationId: membership.organizationId,
            userAgent,
            createdAt: now,
            refreshTokenHash: refreshTokens.hash(refreshToken),
          }),
        );
        return true;
      },
      () => false,
    );
    if (!isStored) {
      if (!isOperator(membership.roles)) throw onlyOperators();
      const fields = { userId: account.userId, sessionId: session.id, userAgent, seconds: accessTokenSeconds };
      log.warn(fields, "an operator signed in while the disk is full: the session is not stored and can't be renewed");
      const end = new Date(now.getTime() + accessTokenSeconds * 1_000);
      return await answerSignedIn(account, membership, { ...session, expiresAt: end }, "", now);
    }
    log.info({ userId: account.userId, sessionId: session.id }, "signed in");
    return await answerSignedIn(account, membership, session, refreshToken, now);
  };

  /** On a full disk, only operators' passwords are checked; everyone else gets the same response after the same work. */
  async function admitOnFullDisk(
    account: Account | undefined,
    address: string | undefined,
    now: Date,
  ): Promise<AdmittedTry> {
    const membership = account && !account.disabled ? await findMembership(db, account.userId) : undefined;
    const owner = account && membership && isOperator(membership.roles) ? usernameKey(account.username) : undefined;
    const isKnown = owner !== undefined && (await isFromKnownAddress(db, owner, address, now));
    return fullDisk.admit({ owner, address: clientGroup(address), isKnown }, now);
  }

  const handlers: SessionHandlers = {
    async login({ request, log }) {
      const username = readHeader(request, "username");
      const password = readHeader(request, "password");
      const key = usernameKey(username);
      if (!key || password.length > longestPassword) throw new Problem("invalid_credentials");
      const client = await readClient(request, authenticate);
      const now = clock.now();
      const account = await findAccountByName(db, { usernameKey: key, emailKey: emailKey(username) });
      const names = { typed: key, account: account && usernameKey(account.username) };
      const attempt = await unlessFull(
        () => admitLoginTry(db, names, client.address, now),
        () => admitOnFullDisk(account, client.address, now),
      );
      const storedHash = (attempt.mayCheck && account?.passwordHash) || undefined;
      const matches = await passwords.matches(storedHash, password).catch(async (error) => {
        await attempt.takeBack();
        throw error;
      });
      const membership = matches && account && !account.disabled ? await findMembership(db, account.userId) : undefined;
      if (!account || !membership) {
        log.info({ userId: account?.userId, clientAddress: client.address }, "sign-in refused");
        throw attempt.refusal;
      }
      await unlessFull(attempt.succeed, () => {});
      if (await refusesPassword(db, account.userId)) throw new Problem("forbidden", useSingleSignOn);
      const { userAgent } = client;
      const createUnstored = isOperator(membership.roles) ? fullDisk.createChallenge : undefined;
      await requireNoSecondFactor(db, account, { userAgent, signedOnAt: null }, now, createUnstored);
      return await beginSession({ account, membership, signedOnAt: null, userAgent, now, log });
    },

    refresh: ({ body, log }) => refresh(body.refreshToken, refreshGraceMilliseconds, log),

    refreshForPortal: ({ body, log }) => refresh(body.refreshToken, portalGraceMilliseconds, log),

    async continueAccess({ body }) {
      const now = clock.now();
      const session = await findSessionOfToken(db, refreshTokens.hash(body.refreshToken), now);
      if (!session) throw sessionEnded();
      const { account, membership } = await requireHolder(session);
      const { accessToken, expiresIn } = await answerSignedIn(
        account,
        membership,
        placed(session),
        body.refreshToken,
        now,
      );
      return { accessToken, expiresIn };
    },

    async logout({ body }) {
      await endSessionOfToken(db, refreshTokens.hash(body.refreshToken), clock.now());
      return undefined;
    },

    async getKeys() {
      return { keys: await listPublicKeys(db) };
    },

    async listSessions({ caller, query }) {
      return await pageOfSessions(db, requirePerson(caller), caller, query, clock.now());
    },

    async endSession({ caller, params }) {
      if (!(await endOwnSession(db, requirePerson(caller), params.sessionId, clock.now()))) throw notFound("session");
      return undefined;
    },
  };
  return { handlers, beginSession };
}
