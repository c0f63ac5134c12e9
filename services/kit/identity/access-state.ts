import type { Logger } from "pino";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { coalesce } from "../clock/coalesce.ts";
import type { Subscribe } from "../database/notifications.ts";
import { acrossOrganizations } from "../database/organization-scope.ts";

/** A change that affects users with valid access tokens. */
export type AccessChange =
  | { kind: "session-ended"; sessionId: string }
  /** Null: no longer a member of the organization. */
  | {
      kind: "roles-changed";
      userId: string;
      organizationId: string;
      roles: string[] | null;
      scopes: Scope[];
      /** When these are empty for lack of a second factor: those of sessions whose identity provider requested one. */
      factorAtProvider?: { roles: string[]; scopes: Scope[] } | undefined;
    };

/**
 * Reads changes of the last minutes that were committed after `since`; `next` continues from there. "0" is the
 * beginning.
 */
export type ReadAccessChanges = (since: string) => Promise<{ changes: AccessChange[]; next: string }>;

/** Notified by security-service's database on every change. */
export const accessChangesChannel = "access_changes";

/** Longer than the lifetime of an access token: older changes affect no valid token. */
const retentionMilliseconds = 10 * 60_000;
const pollMilliseconds = 1_000;

export interface TokenHolder {
  sessionId?: string;
  userId: string;
  organizationId: string;
  roles: string[];
  scopes: Scope[];
  /** The organization's OpenID provider requested a second factor. */
  factorAtProvider?: boolean;
}

/**
 * Sessions that ended and roles that changed since access tokens were issued. Tokens are valid for five minutes; this
 * applies changes within a second, and immediately in the process that made them.
 */
export interface AccessState {
  /**
   * The current roles and scopes.
   * @throws Problem unauthenticated when the session has ended
   */
  require(holder: TokenHolder): Pick<TokenHolder, "roles" | "scopes">;
  /** Reads the changes committed before the call. Never throws: the next look reads those that this one missed. */
  refresh(): Promise<void>;
  /** Calls back after every look that found changes. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Resolves after the first look. */
  ready: Promise<void>;
  stop(): void;
}

interface AccessStateOptions {
  read: ReadAccessChanges;
  log: Logger;
  /** Available when the database is security-service's own. */
  subscribe?: Subscribe;
  /** False when no other process can make changes: a look after every own change is sufficient. */
  poll: boolean;
}

export function createAccessState({ read, log, subscribe, poll }: AccessStateOptions): AccessState {
  const endedSessions = new Map<string, number>();
  const members = new Map<string, Extract<AccessChange, { kind: "roles-changed" }> & { learnedAt: number }>();
  const memberKey = (userId: string, organizationId: string) => `${userId} ${organizationId}`;
  const listeners = new Set<() => void>();
  let since = "0";
  let isUnavailable = false;
  let stopped = false;

  function learn(changes: AccessChange[]): void {
    const now = Date.now();
    for (const change of changes) {
      if (change.kind === "session-ended") endedSessions.set(change.sessionId, now);
      else members.set(memberKey(change.userId, change.organizationId), { ...change, learnedAt: now });
    }
    for (const [sessionId, learnedAt] of endedSessions) {
      if (learnedAt < now - retentionMilliseconds) endedSessions.delete(sessionId);
    }
    for (const [key, { learnedAt }] of members) if (learnedAt < now - retentionMilliseconds) members.delete(key);
  }

  async function readOnce(): Promise<void> {
    if (stopped) return;
    try {
      const { changes, next } = await read(since);
      learn(changes);
      since = next;
      if (changes.length > 0) for (const listener of [...listeners]) listener();
      if (isUnavailable) log.info("access changes can be read again");
      isUnavailable = false;
    } catch (error) {
      if (!isUnavailable) log.warn({ err: error }, "access changes of other processes can't be read");
      isUnavailable = true;
    }
  }

  // A look serves all callers that arrive during it.
  const refresh = coalesce(() => acrossOrganizations(readOnce));

  const ready = refresh();
  const timer = poll ? setInterval(() => void refresh(), pollMilliseconds) : undefined;
  timer?.unref();
  let unsubscribe = () => {};
  subscribe?.(accessChangesChannel, () => void refresh()).then(
    (end) => {
      if (stopped) end();
      else unsubscribe = end;
    },
    (error) => log.warn({ err: error }, "subscribing to access changes failed; polling once a second instead"),
  );

  return {
    require({ sessionId, userId, organizationId, roles, scopes, factorAtProvider }) {
      const member = members.get(memberKey(userId, organizationId));
      if (member?.roles === null || (sessionId !== undefined && endedSessions.has(sessionId))) {
        throw new Problem("unauthenticated", "This session has ended. Sign in again.");
      }
      if (factorAtProvider && member?.factorAtProvider) return member.factorAtProvider;
      return member?.roles ? { roles: member.roles, scopes: member.scopes } : { roles, scopes };
    },
    refresh: refresh,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ready,
    stop() {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
}
