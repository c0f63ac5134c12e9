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
 * Whose browser it is stays known for a day after that, so that a form which comes too late is given back to its sender
 * and to nobody else.
 */
const accountSeconds = 24 * 60 * 60;
/** Refreshed this long before its end, so that no call of the page about to be made meets an expired token. */
export const refreshEarlySeconds = 20;
/** How long the requests of one page that carry the same spent refresh token are answered from memory. */
const successorMilliseconds = 10_000;

/** Makes the session of a security-service answer; the user comes from the access token's claims. */
export function sessionFrom(answer: SignedIn, nowSeconds: number): AuthSession {
  const claims = decodeJwt<{
    id?: string;
    preferred_username?: string;
    name?: string;
    email?: string;
    zoneinfo?: string;
  }>(answer.accessToken);
  return {
    id: claims.id ?? claims.sub ?? "",
    username: claims.preferred_username ?? "",
    fullName: claims.name ?? claims.preferred_username ?? "",
    email: claims.email ?? "",
    timeZone: claims.zoneinfo,
    accessToken: answer.accessToken,
    expiresAt: nowSeconds + answer.expiresIn,
    refreshToken: answer.refreshToken,
    roles: answer.roles,
    scopes: answer.scopes,
    needsSecondFactor: answer.needsSecondFactor,
  };
}

/** The session of one request. What changes it is written to the response once, when the page is done. */
export class SessionHolder {
  #stored: StoredSession;
  /** What the page being made shows. */
  #taken: Pick<StoredSession, "toasts" | "announce"> = { toasts: [] };
  #changed = false;
  /** Consent given with this very request counts. */
  consented: boolean;
  /** Id of the account that is, or was last, signed in with this browser. */
  readonly accountId: string | undefined;
  /** The access token has ended and security-service was away: a 401 of another service means nothing then. */
  refreshPostponed = false;

  constructor(stored: StoredSession | undefined, consented: boolean, lastAccountId?: string) {
    this.#stored = stored ?? { toasts: [] };
    this.accountId = stored?.auth?.id ?? lastAccountId;
    this.consented = consented;
  }

  get auth(): AuthSession | undefined {
    return this.#stored.auth;
  }

  /** No service would take the ended token, and there is no telling yet whether the session goes on. */
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

  /** Whether the next page asks what waits for the viewer. */
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

  /** The page leads elsewhere instead of showing what it took: that is for the page it leads to. */
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
  /** @param connectAsPortal opens security-service for the portal itself, which alone may refresh what a cookie holds */
  open(request: Request, connectAsPortal: () => Promise<Pick<Backend, "securityService">>): Promise<SessionHolder>;
  /** `Set-Cookie` values that the response must carry. */
  commit(holder: SessionHolder, request: Request): Promise<string[]>;
}

/**
 * Keeps sessions in one encrypted, httpOnly cookie of numbered parts. It is written only with consent.
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
    const answer = await securityService.refreshForPortal({ body: { refreshToken: auth.refreshToken } });
    if (answer.ok) return sessionFrom(answer.value, Date.now() / 1_000);
    // Only a clear no ends the session; a service that is away must not sign everybody out.
    return answer.status === 401 && answer.problem.code === "unauthenticated" ? undefined : auth;
  }

  /**
   * Loaders, tabs and impatient clicks meet the same expired token at once: one refresh serves all those of this
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
      // A cookie that was changed, has ended or lost its consent is of no use to anybody: it goes.
      if (!stored && ourCookies(request).length > 0) holder.clear();
      const { auth } = holder;
      const mustRefresh = (known: AuthSession) =>
        known.expiresAt - refreshEarlySeconds < Date.now() / 1_000 || options.isOutdated(known.accessToken);
      if (auth && mustRefresh(auth)) {
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
