import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { z } from "zod";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { type PublicKey, publicKey as publicKeySchema } from "#contracts/kit/public-keys.ts";
import { tokenAudience, tokenIssuer } from "../../kit/identity/identity.ts";
import type { SealingContext, Vault } from "../../kit/vault/vault.ts";

/** A stored key pair: the private half is sealed. */
export interface StoredSigningKey {
  /** The key's thumbprint (RFC 7638), which is also the `kid` of its tokens. */
  id: string;
  publicJwk: PublicKey;
  sealedPrivateJwk: string;
}

export interface TokenSubject {
  userId: string;
  username: string;
  fullName: string;
  email: string;
  organizationId: string;
  sessionId: string;
  roles: string[];
  scopes: Scope[];
  /** Name of the API token that was exchanged; `sessionId` is then the API token's. */
  apiToken?: string;
  /** The organization's OpenID provider asked for a second factor. */
  factorAtProvider?: boolean;
  /** The user's own setting. */
  timeZone?: string | null;
}

export type SignAccessToken = (subject: TokenSubject, issuedAt: Date, lifetimeSeconds: number) => Promise<string>;

/** The private half (RFC 8037). */
const privateJwk = z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string(), d: z.string() });

function getPlace(id: string): SealingContext {
  return { organizationId: "installation", record: `signing_keys/${id}` };
}

export async function createSigningKey(vault: Vault): Promise<StoredSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(publicJwk);
  return {
    id,
    publicJwk: publicKeySchema.parse({ ...publicJwk, kid: id, alg: "EdDSA", use: "sig" }),
    sealedPrivateJwk: vault.seal(JSON.stringify(await exportJWK(privateKey)), getPlace(id)),
  };
}

/**
 * @returns a signer of access tokens (RFC 9068: `typ` at+jwt)
 * @throws Error when the key was sealed with another SECRETS_KEY
 */
export async function createTokenSigner(vault: Vault, key: StoredSigningKey): Promise<SignAccessToken> {
  const privateKey = await importJWK(
    privateJwk.parse(JSON.parse(vault.open(key.sealedPrivateJwk, getPlace(key.id)))),
    "EdDSA",
  );
  return (subject, issuedAt, lifetimeSeconds) => {
    const issuedAtSeconds = Math.floor(issuedAt.getTime() / 1_000);
    return new SignJWT({
      preferred_username: subject.username,
      name: subject.fullName,
      email: subject.email,
      // OpenID Connect Core 1.0, 5.1.
      ...(subject.timeZone ? { zoneinfo: subject.timeZone } : {}),
      roles: subject.roles,
      scopes: subject.scopes,
      org: subject.organizationId,
      sid: subject.sessionId,
      ...(subject.apiToken === undefined ? {} : { api_token: subject.apiToken }),
      // RFC 8176.
      ...(subject.factorAtProvider ? { amr: ["mfa"] } : {}),
    })
      .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: key.id })
      .setIssuer(tokenIssuer)
      .setAudience(tokenAudience)
      .setSubject(subject.userId)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + lifetimeSeconds)
      .sign(privateKey);
  };
}
