import { createHash, randomBytes } from "node:crypto";

/** 256 random bits; only its hash is stored, and a plain hash is enough for a value nobody can guess. */
export function createRefreshToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashRefreshToken(token) };
}

export function hashRefreshToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
