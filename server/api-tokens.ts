import { createHash } from "node:crypto";
import { Problem } from "#contracts/kit/problem.ts";
import { Cache } from "#libraries/cache/cache.ts";
import { isApiToken } from "../services/kit/identity/api-token.ts";
import type { Wiring } from "./wiring.ts";

const getBearer = (headers: Headers) => /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
/** The precision of a token's last use. Services receive revocations separately, at once. */
const cacheMilliseconds = 60_000;

/**
 * Replaces an API token by an access token, so that services accept a single kind of token.
 * @returns the problem to respond with for an invalid token
 */
export function createApiTokenExchange({ connections, portalToken }: Pick<Wiring, "connections" | "portalToken">) {
  const known = new Cache<string>({ maxSize: 10_000, maxAgeMilliseconds: cacheMilliseconds });

  return async function exchange(headers: Headers): Promise<Problem | undefined> {
    const token = getBearer(headers);
    if (!token || !isApiToken(token)) return undefined;
    const key = createHash("sha256").update(token).digest("base64url");
    let accessToken = known.get(key);
    if (!accessToken) {
      const { exchangeApiToken } = connections.securityService({ token: await portalToken() });
      const result = await exchangeApiToken({ body: { token: token.slice(0, 200) } });
      if (!result.ok) {
        const { code, detail } = result.problem;
        return new Problem(code === "unauthenticated" ? code : "service_unavailable", detail);
      }
      accessToken = result.value.accessToken;
      known.set(key, accessToken);
    }
    headers.set("authorization", `Bearer ${accessToken}`);
    return undefined;
  };
}
