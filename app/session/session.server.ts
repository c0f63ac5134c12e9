import { decodeJwt } from "jose";
import { z } from "zod";
import type { SignedIn } from "#contracts/security-service/sessions.ts";
import type { Backend } from "~/backend/backend";
import { expireCookie, hasConsent, joinCookie, readCookies, setCookie, splitCookie } from "~/session/cookies";
import { createSealer } from "~/session/sealed-value.server";
import { type Announce, type AuthSession, type StoredSession, storedSession } from "~/session/stored-session";
import type { ToastMessage } from "~/session/toast-message";

/** Lifetime of the auth cookie (section 9 of the specification). */
const sessionSeconds = 10 * 60 * 60;
/**
 * The account of a browser stays known for a day after that, so that a form sent too late is restored only for its
 * sender.
 */
const accountSeconds = 24 * 60 * 60;
/** Refreshed this long before its expiry, so that no call of the current page uses an expired token. */
export const refreshEarlySeconds = 20;
/** How long requests of one page with the same used refresh token are answered from memory. */
const successorMilliseconds = 10_000;

/** Creates the session from a security-service response; the user comes from the access token's claims. */
export function sessionFrom(result: SignedIn, nowSeconds: number): AuthSession {
  const claims = decodeJwt<{
    id?: string;
    preferred_username?: string;
    name?: string;
    email?: string;
    zoneinfo?: string;
  }>(result.accessToken);
  return {
    id: claims.id ?? claims.sub ?? "",
    username: claims.preferred_username ?? "",
    fullName: claims.name ?? claims.preferred_username ?? "",
    email: claims.email ?? "",
    timeZone: claims.zoneinfo,
    accessToken: result.accessToken,
    expiresAt: nowSeconds + result.expiresIn,
    refreshToken: result.refreshToken,
    roles: result.roles,
    scopes: result.scopes,
    needsSecondFactor: result.needsSecondFactor,
  };
}

/** The session of one request. Its changes are written to the response once, when the page is done. */
export class SessionHolder {
  #stored: StoredSession;
  /** Toasts of the current page. */
  #taken: Pick<StoredSession, "toasts" | "announce"> = { toasts: [] };
  #changed = false;
  /** Includes consent given with this request. */
  consented: boolean;
  /** Id of the account that is, or was last, signed in with this browser. */
  readonly accountId: string | undefined;
  /**
   * The access token has expired and security-service was unavailable: a 401 of another service is then inconclusive.
   */
  refreshPostponed = false;

  constructor(stored: StoredSession | undefined, consented: boolean, lastAccountId?: string) {
    this.#stored = stored ?? { toasts: [] };
    this.accountId = stored?.auth?.id ?? lastAccountId;
    this.consented = consented;
  }

  get auth(): AuthSession | undefined {
    return this.#stored.auth;
  }

  /** No service accepts the expired token, and the validity of the session is unknown. */
  get isUndecided(): boolean {
    return this.refreshPostponed && this.auth !== undefined && this.auth.expiresAt <= Date.now() / 1_000;
  }

  signIn(auth: AuthSession): void {
    this.#replace({ auth, toasts: [], announce: "now" });
  }

  /** The same session with fresh tokens. */
  renew(auth: AuthSession): void {
    this.#store({ auth });
  }

  clear(): void {
    this.#replace({ toasts: [] });
  }

  /** Shows a toast on the next page. */
  addToast(toast: ToastMessage): void {
    this.#store({ toasts: [...this.#stored.toasts, toast].slice(-3) });
  }

  takeToasts(): ToastMessage[] {
    const { toasts } = this.#stored;
    if (toasts.length > 0) {
      this.#taken.toasts = toasts;
      this.#store({ toasts: [] });
    }
    return toasts;
  }

  /** Whether the next page asks for outstanding notifications. */
  get announce(): Announce | undefined {
    return this.#stored.announce;
  }

  setAnnounce(announce: Announce): void {
    this.#store({ announce });
  }

  /** This page has asked. */
  takeAnnounce(): void {
    this.#taken.announce = this.#stored.announce;
    this.#store({ announce: undefined });
  }

  /** The page redirects instead of displaying its toast and announcement, which are left to the destination. */
  putBack(): void {
    const { toasts, announce } = this.#taken;
    if (toasts.length === 0 && !announce) return;
    this.#store({ toasts: [...toasts, ...this.#stored.toasts].slice(-3), announce: this.#stored.announce ?? announce });
  }

  #store(changes: Partial<StoredSession>): void {
    this.#stored = { ...this.#stored, ...changes };
    this.#changed = true;
  }

  #replace(stored: StoredSession): void {
    this.#stored = stored;
    this.#taken = { toasts: [] };
    this.#changed = true;
  }

  get changed(): boolean {
    return this.#changed;
  }

  toStored(): StoredSession | undefined {
    return this.#stored.auth || this.#stored.toasts.length > 0 ? this.#stored : undefined;
  }
}

export interface SessionKeeper {
  /**
   * @param connectAsPortal opens security-service for the portal itself, which alone may refresh the tokens of a cookie
   */
  open(request: Request, connectAsPortal: () => Promise<Pick<Backend, "securityService">>): Promise<SessionHolder>;
  /** `Set-Cookie` values for the response. */
  commit(holder: SessionHolder, request: Request): Promise<string[]>;
}

/**
 * Stores sessions in one encrypted, httpOnly cookie of numbered parts. It is written only with consent.
 * @param secretsKey the installation's secret; the cookie's key is derived from it.
 * @param isOutdated whether a session has ended, or its roles changed, since the access token was issued
 */
export function createSessionKeeper(options: {
  secretsKey: string;
  secure: boolean;
  isOutdated(accessToken: string): boolean;
}): SessionKeeper {
  const sealer = createSealer(storedSession, options.secretsKey, "session cookie");
  const accounts = createSealer(z.string(), options.secretsKey, "account cookie");
  const prefix = options.secure ? "__Host-" : "";
  const name = `${prefix}session`;
  const accountName = `${prefix}account`;
  const refreshing = new Map<string, Promise<AuthSession | undefined>>();

  function ourCookies(request: Request): string[] {
    return Object.keys(readCookies(request)).filter((cookie) => cookie.startsWith(`${name}.`));
  }

  async function askForFresh(auth: AuthSession, connectAsPortal: Parameters<SessionKeeper["open"]>[1]) {
    const { securityService } = await connectAsPortal();
    const result = await securityService.refreshForPortal({ body: { refreshToken: auth.refreshToken } });
    if (result.ok) return sessionFrom(result.value, Date.now() / 1_000);
    // Only an explicit refusal ends the session; an unavailable service must not sign everyone out.
    return result.status === 401 && result.problem.code === "unauthenticated" ? undefined : auth;
  }

  /**
   * Loaders, tabs and repeated clicks use the same expired token at once: one refresh serves all requests of this
   * process, and security-service gives other processes the same successor.
   */
  function refresh(auth: AuthSession, connectAsPortal: Parameters<SessionKeeper["open"]>[1]) {
    const spent = auth.refreshToken;
    const known = refreshing.get(spent);
    if (known) return known;
    const started = askForFresh(auth, connectAsPortal)
      .catch(() => auth)
      .then((fresh) => {
        if (fresh && fresh !== auth) setTimeout(() => refreshing.delete(spent), successorMilliseconds).unref();
        else refreshing.delete(spent);
        return fresh;
      });
    refreshing.set(spent, started);
    return started;
  }

  return {
    async open(request, connectAsPortal) {
      const consented = hasConsent(request);
      const stored = consented ? sealer.open(joinCookie(name, request) ?? "") : undefined;
      const lastAccountId = consented ? accounts.open(readCookies(request)[accountName] ?? "") : undefined;
      const holder = new SessionHolder(stored, consented, lastAccountId);
      // A cookie that was changed, has expired or lost its consent is useless and is removed.
      if (!stored && ourCookies(request).length > 0) holder.clear();
      const { auth } = holder;
      const mustRefresh = (known: AuthSession) =>
        known.expiresAt - refreshEarlySeconds < Date.now() / 1_000 || options.isOutdated(known.accessToken);
      // Begun while the disk was full: it ends with its access token.
      const canRefresh = auth?.refreshToken !== "";
      if (auth && !canRefresh && (auth.expiresAt <= Date.now() / 1_000 || options.isOutdated(auth.accessToken)))
        holder.clear();
      else if (auth && canRefresh && mustRefresh(auth)) {
        const fresh = await refresh(auth, connectAsPortal);
        if (!fresh) holder.clear();
        else if (fresh === auth) holder.refreshPostponed = true;
        else holder.renew(fresh);
      }
      return holder;
    },
    async commit(holder, request) {
      if (!holder.changed) return [];
      const stored = holder.toStored();
      if (!stored || !holder.consented) {
        return ourCookies(request).map((cookie) => expireCookie(cookie, options.secure));
      }
      const { secure } = options;
      const value = sealer.seal(stored, sessionSeconds);
      const cookies = splitCookie(name, value, request, { secure, maxAgeSeconds: sessionSeconds });
      if (!stored.auth) return cookies;
      const account = accounts.seal(stored.auth.id, accountSeconds);
      return [...cookies, setCookie(accountName, account, { secure, maxAgeSeconds: accountSeconds })];
    },
  };
}
