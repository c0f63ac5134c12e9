import { createHash } from "node:crypto";
import { Problem } from "#contracts/kit/problem.ts";
import { Cache } from "#libraries/cache/cache.ts";
import { isApiToken } from "../services/kit/identity/api-token.ts";
import type { Wiring } from "./wiring.ts";

const bearerOf = (headers: Headers) => /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
/** So exact is a token's last use. What ends a token is heard of by the services themselves, at once. */
const keptMilliseconds = 60_000;

/**
 * Puts an access token in the place of an API token, so that services know one kind of token only.
 * @returns the problem to answer instead, for a token that is no good
 */
export function createApiTokenExchange({ connections, portalToken }: Pick<Wiring, "connections" | "portalToken">) {
  const known = new Cache<string>({ maxSize: 10_000, maxAgeMilliseconds: keptMilliseconds });

  return async function exchange(headers: Headers): Promise<Problem | undefined> {
    const token = bearerOf(headers);
    if (!token || !isApiToken(token)) return undefined;
    const key = createHash("sha256").update(token).digest("base64url");
    let accessToken = known.get(key);
    if (!accessToken) {
      const { exchangeApiToken } = connections.securityService({ token: await portalToken() });
      const answer = await exchangeApiToken({ body: { token: token.slice(0, 200) } });
      if (!answer.ok) {
        const { code, detail } = answer.problem;
        return new Problem(code === "unauthenticated" ? code : "service_unavailable", detail);
      }
      accessToken = answer.value.accessToken;
      known.set(key, accessToken);
    }
    headers.set("authorization", `Bearer ${accessToken}`);
    return undefined;
  };
}
