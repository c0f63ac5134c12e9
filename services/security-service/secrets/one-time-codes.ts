import { createHmac, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { deriveKey } from "../../kit/vault/vault.ts";

const issuer = "API Assurance";
const secretBytes = 20;
const stepSeconds = 30;
const digits = 6;

/** RFC 6238 with the parameters that every app supports: SHA-1, six digits, 30 seconds. */
const getTotp = (secret: string, label = "") =>
  new TOTP({ issuer, label, algorithm: "SHA1", digits, period: stepSeconds, secret: Secret.fromBase32(secret) });

/** Base32, for apps that can't scan QR codes. */
export const createTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

export const toUri = (secret: string, username: string): string => getTotp(secret, username).toString();

/**
 * The time step of a code; undefined for a wrong one. One step before and after is accepted, too, for clock drift and
 * slow typing.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const distance = getTotp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return distance === null ? undefined : Math.floor(now.getTime() / 1_000 / stepSeconds) + distance;
}

/** No vowels and no similar-looking characters: 28 characters, ten of which are 48 bits. */
const alphabet = "23456789bcdfghjkmnpqrstvwxyz";
const recoverySigns = 10;
export const recoveryCodesAtOnce = 10;

export interface RecoveryCodes {
  /** As displayed: `k4m2x-9qf7t`. */
  create(): string[];
  /** Keyed: a copy of the database alone reveals no code. */
  hash(userId: string, code: string): string;
}

export function createRecoveryCodes(secretsKey: string): RecoveryCodes {
  const key = deriveKey(secretsKey, "recovery codes");
  const sign = () => alphabet[randomInt(alphabet.length)] as string;
  return {
    create: () =>
      Array.from({ length: recoveryCodesAtOnce }, () => {
        const signs = Array.from({ length: recoverySigns }, sign).join("");
        return `${signs.slice(0, 5)}-${signs.slice(5)}`;
      }),
    hash: (userId, code) =>
      createHmac("sha256", key)
        .update(`${userId}/${code.replace("-", "")}`)
        .digest("base64url"),
  };
}
