import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { AccessState, TokenHolder } from "./access-state.ts";

export const tokenIssuer = "security-service";
export const tokenAudience = "api-assurance-portal";
const serviceIssuer = "portal-services";
const serviceTokenSeconds = 300;
/** A token without expiry would be valid forever; jose does not require one by default. */
const requiredClaims = ["exp", "sub", "org"];
/** Cache of verified tokens: a page verifies the same one a dozen times, a run hundreds of times. */
const verifiedCharacters = 4 * 1024 * 1024;
const verifiedMilliseconds = 60_000;

/**
 * The authenticated caller. `token` is a program with a user's API token, which is limited to the token's scopes and
 * can't access the user's personal resources. `service` is another service of the portal acting for an organization;
 * it passes every scope check. `agent` is an agent of a location, which may make its own calls only.
 */
export interface Identity {
  kind: "user" | "token" | "service" | "agent";
  userId: string;
  username: string;
  /** Full name, by which pages display a person everywhere; of a service its id. */
  name: string;
  organizationId: string;
  sessionId?: string;
  roles: string[];
  scopes: Scope[];
  token: string;
  /** With `token`: the name given by its owner. */
  apiToken?: string;
  /** With `agent`: where it is, and the public key that secrets are encrypted with for it. */
  agent?: { locationId: string; sealingKey: string };
  /**
   * For long-lived responses: calls back once when the token or its session ends, or when the token's claims about its
   * holder become outdated.
   * @returns a function that unsubscribes
   */
  onOutdated(listener: () => void): () => void;
}

/** A call that an agent has signed. */
export interface SignedCall {
  caller: Identity;
  /** @throws Problem unauthenticated if the signature is of another body */
  requireBody(text: string): void;
  /** Called once, after its response. */
  end(): void;
}

/** @throws Problem unauthenticated, or too_many_requests before its body is read */
export type IdentifyAgent = (request: Request) => Promise<SignedCall>;

export type Authenticate = (token: string) => Promise<Identity>;

/**
 * Verifies access tokens (EdDSA against the published keys) and service tokens (HS256 with the installation's own
 * key). The algorithm is chosen by the issuer, never by the token's header, which prevents algorithm confusion.
 * @param publicKeys returns security-service's JWKS; called again when a token names an unknown key id
 * @param standings ended sessions and changed roles
 */
export function createAuthenticate(options: {
  publicKeys: () => Promise<JSONWebKeySet>;
  serviceKey: Uint8Array;
  accessState?: AccessState;
}): Authenticate {
  const { accessState } = options;
  const verified = new Cache<JWTPayload>({ maxSize: verifiedCharacters, maxAgeMilliseconds: verifiedMilliseconds });
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = 0;

  async function refreshKeys() {
    const published = await options.publicKeys().catch(() => {
      // An unavailable security-service must not sign users out.
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
          name: String(payload.sub),
          organizationId: String(payload.org),
          roles: [],
          scopes: [],
          token,
          onOutdated: (listener) => watchToken(payload, listener),
        };
      }
      const holder = readHolder(payload);
      await accessState?.ready;
      const now = accessState?.require(holder) ?? holder;
      const isOfApiToken = payload.api_token !== undefined;
      return {
        kind: isOfApiToken ? "token" : "user",
        username: String(payload.preferred_username),
        name: String(payload.name || payload.preferred_username),
        ...holder,
        roles: now.roles,
        // Scopes that its owner gained since never extend a token's own.
        scopes: isOfApiToken ? holder.scopes.filter((scope) => now.scopes.includes(scope)) : now.scopes,
        token,
        ...(isOfApiToken ? { apiToken: String(payload.api_token) } : {}),
        onOutdated: (listener) => watchToken(payload, listener, accessState),
      };
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem("unauthenticated", "The access token is missing, expired or not one of ours.");
    }
  };
}

/** The token's holder, from its claims. */
function readHolder(claims: JWTPayload): TokenHolder {
  return {
    sessionId: claims.sid ? String(claims.sid) : undefined,
    userId: String(claims.sub),
    organizationId: String(claims.org),
    roles: (claims.roles as string[]) ?? [],
    scopes: (claims.scopes as Scope[]) ?? [],
    ...(Array.isArray(claims.amr) && claims.amr.includes("mfa") ? { factorAtProvider: true } : {}),
  };
}

/** Whether the claims of a previously verified access token are outdated. */
export function isOutdated(accessToken: string, accessState: AccessState): boolean {
  return hasChanged(readHolder(decodeJwt(accessToken)), accessState);
}

function watchToken(claims: JWTPayload, listener: () => void, accessState?: AccessState): () => void {
  const stop = () => {
    clearTimeout(timer);
    unsubscribe?.();
  };
  const end = () => {
    stop();
    listener();
  };
  const holder = readHolder(claims);
  const unsubscribe = accessState?.subscribe(() => {
    if (hasChanged(holder, accessState)) end();
  });
  const timer = setTimeout(end, Math.max(0, (claims.exp ?? 0) * 1_000 - Date.now()));
  timer.unref();
  return stop;
}

function hasChanged(holder: TokenHolder, accessState: AccessState): boolean {
  try {
    return accessState.require(holder).roles.join() !== holder.roles.join();
  } catch {
    return true;
  }
}

/** Issues the token for calls between services on behalf of an organization, without a user. */
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

/**
 * Caches one service's tokens until shortly before expiry: signing one per call would be noticeable in a thousand-test
 * run.
 */
export function createServiceTokens(serviceKey: Uint8Array, service: string): IssueServiceToken {
  const cached = new Map<string, { token: string; until: number }>();
  return async (organizationId) => {
    const known = cached.get(organizationId);
    if (known && known.until > Date.now()) return known.token;
    if (cached.size > 1_000) cached.clear();
    const token = await issueServiceToken(serviceKey, service, organizationId);
    cached.set(organizationId, { token, until: Date.now() + (serviceTokenSeconds - 60) * 1_000 });
    return token;
  };
}
