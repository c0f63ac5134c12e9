import { createHash, createHmac, randomBytes } from "node:crypto";
import { deriveKey } from "../../kit/vault/vault.ts";

export interface RefreshTokens {
  /** The first of a family: 256 random bits. */
  create(): string;
  /** What a token is traded for: always the same one, so that parallel refreshes in several processes meet again. */
  successorOf(token: string): string;
  /** The only thing stored; a plain hash is enough for a value nobody can guess. */
  hash(token: string): string;
}

/** Successors are keyed: whoever copied a token can't go on without us, nor can whoever copied the database. */
export function createRefreshTokens(secretsKey: string): RefreshTokens {
  const key = deriveKey(secretsKey, "refresh tokens");
  return {
    create: () => randomBytes(32).toString("base64url"),
    successorOf: (token) => createHmac("sha256", key).update(token).digest("base64url"),
    hash: (token) => createHash("sha256").update(token).digest("base64url"),
  };
}
