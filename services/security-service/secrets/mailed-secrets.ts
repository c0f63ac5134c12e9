import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import { deriveKey } from "../../kit/vault/vault.ts";

/** 256 random bits for a link; only their hash is stored, and a plain hash is enough for an unguessable value. */
export function createMailedToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashMailedToken(token) };
}

export function hashMailedToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

export interface MailedCodes {
  /** Six digits. */
  create(): string;
  hash(linkId: string, code: string): string;
}

/**
 * A million codes are tried in a second, so their hashes are keyed: a copy of the database alone reveals no code. Bound
 * to the link, so that a hash is useless in another row.
 */
export function createMailedCodes(secretsKey: string): MailedCodes {
  const key = deriveKey(secretsKey, "mailed codes");
  return {
    create: () => String(randomInt(1_000_000)).padStart(6, "0"),
    hash: (linkId, code) => createHmac("sha256", key).update(`${linkId}/${code}`).digest("base64url"),
  };
}
