import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

export interface Lie {
  claims?: JWTPayload;
  /** How the token is signed; by default with the key that the provider publishes. */
  signed?: "with another key" | "not at all" | "with the client's secret";
  metadata?: Record<string, unknown>;
  /** Replaces the token response. */
  token?: { status: number; body: unknown };
}

/** An OpenID provider whose claims and responses can all be falsified. */
export async function startLyingProvider() {
  let lie: Lie = {};
  const [published, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const secret = "secret of the portal";

  async function tokenFor(issuer: string, claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const said = { iss: issuer, sub: "ada", aud: "portal", iat: now, exp: now + 300, ...claims, ...lie.claims };
    if (lie.signed === "not at all") return new UnsecuredJWT(said).encode();
    if (lie.signed === "with the client's secret") {
      return await new SignJWT(said).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(secret));
    }
    const key = lie.signed === "with another key" ? other.privateKey : published.privateKey;
    return await new SignJWT(said).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(key);
  }

  let requested: JWTPayload = {};
  const server = createServer(async (request, response) => {
    const issuer = `http://${request.headers.host}`;
    const results: Record<string, () => unknown> = {
      "/.well-known/openid-configuration": () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        ...lie.metadata,
      }),
      "/keys": () => ({ keys: [jwk] }),
      "/token": async () => ({ access_token: "a", token_type: "Bearer", id_token: await tokenFor(issuer, requested) }),
    };
    const path = request.url!;
    if (path === "/token" && lie.token) {
      response.writeHead(lie.token.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify(lie.token.body));
    }
    const result = results[path];
    response.writeHead(result ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify((await result?.()) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: "portal",
    clientSecret: secret,
    lie: (next: Lie) => {
      lie = next;
    },
    /** A browser's return from the provider: its query string, for a token with these claims. */
    visit(address: string, claims: JWTPayload): string {
      const { searchParams } = new URL(address);
      requested = { nonce: searchParams.get("nonce")!, ...claims };
      return `?${new URLSearchParams({ code: "c", state: searchParams.get("state")! })}`;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
