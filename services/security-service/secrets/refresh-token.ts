import { createHash, createHmac, randomBytes } from "node:crypto";
import { deriveKey } from "../../kit/vault/vault.ts";

export interface RefreshTokens {
  /** The first of a family: 256 random bits. */
  create(): string;
  /** The token's successor: deterministic, so that parallel refreshes in several processes get the same one. */
  getSuccessor(token: string): string;
  /** The only stored value; a plain hash is enough for an unguessable token. */
  hash(token: string): string;
}

/** Successors are keyed: neither a stolen token nor a copy of the database is enough to derive them. */
export function createRefreshTokens(secretsKey: string): RefreshTokens {
  const key = deriveKey(secretsKey, "refresh tokens");
  return {
    create: () => randomBytes(32).toString("base64url"),
    getSuccessor: (token) => createHmac("sha256", key).update(token).digest("base64url"),
    hash: (token) => createHash("sha256").update(token).digest("base64url"),
  };
}
