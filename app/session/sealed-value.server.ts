import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Values that only the portal can read and change: AES-256-GCM, `base64url(nonce, ciphertext, tag)`, with an expiry.
 *
 * Node's own synchronous cipher, not a JWE library: every page opens its cookie, and each use of the crypto thread pool
 * costs a busy process milliseconds.
 */
export interface Sealer<Value> {
  seal(value: Value, lifetimeSeconds: number): string;
  /** Undefined if the text was changed, has expired, was sealed with another key, or fails the schema. */
  open(sealed: string): Value | undefined;
}

/** @param schema validates the opened value: another version may have sealed it */
export function createSealer<Value>(schema: z.ZodType<Value>, secret: string, purpose: string): Sealer<Value> {
  const content = z.object({ endsAt: z.number(), value: schema });
  const key = Buffer.from(hkdfSync("sha256", secret, "api-assurance-portal", purpose, 32));
  return {
    seal(value, lifetimeSeconds) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const text = JSON.stringify({ endsAt: Date.now() + lifetimeSeconds * 1_000, value });
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      // Decoding skips characters that are not base64url, so a changed text could decode to the same bytes.
      if (bytes.length <= nonceBytes + tagBytes || bytes.toString("base64url") !== sealed) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
        const { endsAt, value } = content.parse(JSON.parse(text.toString()));
        return endsAt > Date.now() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
