import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { Standings, TokenHolder } from "./standings.ts";

export const tokenIssuer = "security-service";
export const tokenAudience = "api-assurance-portal";
const serviceIssuer = "portal-services";
const serviceTokenSeconds = 300;
/** A token without an end would be good for ever; jose does not ask for one by itself. */
const requiredClaims = ["exp", "sub", "org"];
/** Of tokens that were verified before: a page asks a dozen times with the same, a run hundreds of times. */
const verifiedCharacters = 4 * 1024 * 1024;
const verifiedMilliseconds = 60_000;

/**
 * Who calls. `token` is a program that signed in with an API token of that user's, which never does more than the token's
 * scopes and can't reach what belongs to the person. `service` is another of our services acting for an organization; it passes every
 * scope check.
 */
export interface Identity {
  kind: "user" | "token" | "service";
  userId: string;
  username: string;
  organizationId: string;
  sessionId?: string;
  roles: string[];
  scopes: Scope[];
  token: string;
  /** With `token`: what its owner called it. */
  apiToken?: string;
  /**
   * For answers that go on after the question: calls back once when the token ends, its session does, or what it says
   * of its holder does not hold any more.
   * @returns stops waiting for it
   */
  onOutdated(act: () => void): () => void;
}

export type Authenticate = (token: string) => Promise<Identity>;

/**
 * Verifies access tokens (EdDSA against the published keys) and service tokens (HS256 with the installation's own key).
 * The algorithm follows from the issuer, never from the token's header, so no key can stand in for another.
 * @param publicKeys answers security-service's JWKS; asked again when a token names a key id not seen yet.
 * @param standings knows whose session has ended and who holds other roles by now
 */
export function createAuthenticate(options: {
  publicKeys: () => Promise<JSONWebKeySet>;
  serviceKey: Uint8Array;
  standings?: Standings;
}): Authenticate {
  const { standings } = options;
  const verified = new Cache<JWTPayload>({ most: verifiedCharacters, keptMilliseconds: verifiedMilliseconds });
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = 0;

  async function refreshKeys() {
    const published = await options.publicKeys().catch(() => {
      // Nobody is signed out because security-service is away.
      throw new Problem("service_unavailable", "Sign-in can't be checked right now.");
    });
    keys = createLocalJWKSet(published);
    fetchedAt = Date.now();
    return keys;
  }

  async function verifyAccessToken(token: string) {
    const rules = {
      issuer: tokenIssuer,
      audience: tokenAudience,
      algorithms: ["EdDSA"],
      typ: "at+jwt",
      requiredClaims,
    };
    try {
      return (await jwtVerify(token, keys ?? (await refreshKeys()), rules)).payload;
    } catch (error) {
      // A burst of forged key ids must not become a burst of requests to security-service.
      const maybeRotated = error instanceof errors.JWKSNoMatchingKey && Date.now() - fetchedAt > 5_000;
      if (!maybeRotated) throw error;
      return (await jwtVerify(token, await refreshKeys(), rules)).payload;
    }
  }

  async function verifyServiceToken(token: string) {
    const rules = { issuer: serviceIssuer, audience: tokenAudience, algorithms: ["HS256"], requiredClaims };
    return (await jwtVerify(token, options.serviceKey, rules)).payload;
  }

  async function verify(token: string): Promise<JWTPayload> {
    const known = verified.get(token);
    if (known && known.exp! * 1_000 > Date.now()) return known;
    const isOfService = decodeJwt(token).iss === serviceIssuer;
    const payload = await (isOfService ? verifyServiceToken(token) : verifyAccessToken(token));
    verified.set(token, payload, token.length);
    return payload;
  }

  return async (token) => {
    try {
      if (token.length > 8_000) throw new Error("token too long");
      const payload = await verify(token);
      if (payload.iss === serviceIssuer) {
        return {
          kind: "service",
          userId: String(payload.sub),
          username: String(payload.sub),
          organizationId: String(payload.org),
          roles: [],
          scopes: [],
          token,
          onOutdated: (act) => watchToken(payload, act),
        };
      }
      const holder = holderOf(payload);
      await standings?.ready;
      const now = standings?.require(holder) ?? holder;
      const isOfApiToken = payload.api_token !== undefined;
      return {
        kind: isOfApiToken ? "token" : "user",
        username: String(payload.preferred_username),
        ...holder,
        roles: now.roles,
        // What its owner may do by now never gives a token more than it was made for.
        scopes: isOfApiToken ? holder.scopes.filter((scope) => now.scopes.includes(scope)) : now.scopes,
        token,
        ...(isOfApiToken ? { apiToken: String(payload.api_token) } : {}),
        onOutdated: (act) => watchToken(payload, act, standings),
      };
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem("unauthenticated", "The access token is missing, expired or not one of ours.");
    }
  };
}

/** Whose token it is, by what stands in it. */
function holderOf(claims: JWTPayload): TokenHolder {
  return {
    sessionId: claims.sid ? String(claims.sid) : undefined,
    userId: String(claims.sub),
    organizationId: String(claims.org),
    roles: (claims.roles as string[]) ?? [],
    scopes: (claims.scopes as Scope[]) ?? [],
    ...(Array.isArray(claims.amr) && claims.amr.includes("mfa") ? { factorAtProvider: true } : {}),
  };
}

/** Whether an access token that was verified once says what does not hold any more. */
export function isOutdated(accessToken: string, standings: Standings): boolean {
  return hasChanged(holderOf(decodeJwt(accessToken)), standings);
}

function watchToken(claims: JWTPayload, act: () => void, standings?: Standings): () => void {
  const stop = () => {
    clearTimeout(timer);
    unsubscribe?.();
  };
  const end = () => {
    stop();
    act();
  };
  const holder = holderOf(claims);
  const unsubscribe = standings?.subscribe(() => {
    if (hasChanged(holder, standings)) end();
  });
  const timer = setTimeout(end, Math.max(0, (claims.exp ?? 0) * 1_000 - Date.now()));
  timer.unref();
  return stop;
}

function hasChanged(holder: TokenHolder, standings: Standings): boolean {
  try {
    return standings.require(holder).roles.join() !== holder.roles.join();
  } catch {
    return true;
  }
}

/** Makes the token with which one service calls another on behalf of an organization, when no user is asking. */
export async function issueServiceToken(
  serviceKey: Uint8Array,
  service: string,
  organizationId: string,
  lifetimeSeconds = serviceTokenSeconds,
): Promise<string> {
  return await new SignJWT({ org: organizationId })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(serviceIssuer)
    .setAudience(tokenAudience)
    .setSubject(service)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(serviceKey);
}

export type IssueServiceToken = (organizationId: string) => Promise<string>;

/** Service tokens for one service, kept while fresh: signing one per call would show in a thousand-test run. */
export function createServiceTokens(serviceKey: Uint8Array, service: string): IssueServiceToken {
  const kept = new Map<string, { token: string; until: number }>();
  return async (organizationId) => {
    const known = kept.get(organizationId);
    if (known && known.until > Date.now()) return known.token;
    if (kept.size > 1_000) kept.clear();
    const token = await issueServiceToken(serviceKey, service, organizationId);
    kept.set(organizationId, { token, until: Date.now() + (serviceTokenSeconds - 60) * 1_000 });
    return token;
  };
}
