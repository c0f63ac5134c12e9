import { z } from "@hono/zod-openapi";
import { endpoint } from "./endpoint.ts";

/** An Ed25519 key in the form of RFC 8037. */
export const publicKey = z
  .object({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.string().openapi({ example: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }),
    kid: z
      .string()
      .describe("Thumbprint of the key (RFC 7638)")
      .openapi({ example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" }),
    alg: z.literal("EdDSA"),
    use: z.literal("sig"),
  })
  .openapi("PublicKey");
export type PublicKey = z.infer<typeof publicKey>;

/** The one call of security-service that every service depends on, to verify tokens. */
export const publicKeysContract = {
  getKeys: endpoint({
    method: "get",
    path: "/.well-known/jwks.json",
    access: "public",
    tag: { name: "Keys", description: "For verifying access tokens offline." },
    summary: "Public keys of the access tokens",
    description: "A JSON Web Key Set (RFC 7517). Tokens are signed with EdDSA and name their key in `kid`.",
    status: 200,
    response: z.object({ keys: z.array(publicKey) }).openapi("KeySet"),
  }),
};
