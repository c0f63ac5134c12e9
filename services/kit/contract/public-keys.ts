import { z } from "@hono/zod-openapi";
import { endpoint } from "./endpoint.ts";

/** The one call of security-service that every service depends on, to verify tokens. */
export const publicKeysContract = {
  getKeys: endpoint({
    method: "get",
    path: "/.well-known/jwks.json",
    access: "public",
    tag: { name: "Keys", description: "For whoever checks an access token without asking." },
    summary: "Public keys of the access tokens",
    description: "A JSON Web Key Set (RFC 7517). Tokens are signed with EdDSA and name their key in `kid`.",
    status: 200,
    answer: z
      .object({
        keys: z.array(z.record(z.string(), z.unknown()).openapi({ example: { kty: "OKP", crv: "Ed25519", kid: "1" } })),
      })
      .openapi("KeySet"),
  }),
};
