import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { StartRefused } from "../service/start-refused.ts";

/**
 * Secrets at rest: AES-256-GCM, bound to organization and record, so that a ciphertext copied to another row does not
 * open. Form: `v1.<key id>.<nonce>.<ciphertext and tag>`, each base64url.
 */
export interface Vault {
  seal(plaintext: string, boundTo: SealingContext): string;
  /** @throws SealedWithAnotherKey, or Error when the context differs or a bit was changed */
  open(sealed: string, boundTo: SealingContext): string;
  /** Whether it was sealed with the current key. */
  isCurrent(sealed: string): boolean;
}

export interface SealingContext {
  organizationId: string;
  /** Table and id, such as `credentials/0190…`. */
  record: string;
}

/** Also refuses the start: the signing key is opened there, before anything else is read with the wrong key. */
export class SealedWithAnotherKey extends StartRefused {
  override readonly name = "SealedWithAnotherKey";
  constructor() {
    super(
      "The secrets stored here were sealed with another SECRETS_KEY. Set SECRETS_KEY to the one of the first start, or name that one in SECRETS_KEY_PREVIOUS; without SECRETS_KEY, the one in secrets.key of the data folder counts.",
    );
  }
}

function keyId(key: Buffer): string {
  return createHash("sha256").update("key id").update(key).digest("base64url").slice(0, 8);
}

/** Derives keys for one purpose each from the installation's single secret; none reveals another. */
export function deriveKey(secretsKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretsKey, "api-assurance-portal", purpose, 32));
}

interface Key {
  id: string;
  bytes: Buffer;
}

function readKey(secretsKey: string): Key {
  const bytes = deriveKey(secretsKey, "secrets at rest");
  return { id: keyId(bytes), bytes };
}

const toBinding = (context: SealingContext) => Buffer.from(JSON.stringify([context.organizationId, context.record]));

/** Seals with the current key, and opens texts sealed with it or a previous one. */
export function createVault(secretsKey: string, previousKeys: readonly string[] = []): Vault {
  const current = readKey(secretsKey);
  const keys = new Map([...previousKeys.map(readKey), current].map(({ id, bytes }) => [id, bytes]));
  return {
    seal(plaintext, boundTo) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current.bytes, nonce).setAAD(toBinding(boundTo));
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(sealed, boundTo) {
      const [version, usedKey = "", nonce, body] = sealed.split(".");
      if (version !== "v1" || !nonce || !body) throw new Error("This is no sealed secret.");
      const key = keys.get(usedKey);
      if (!key) throw new SealedWithAnotherKey();
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), {
        authTagLength: 16,
      }).setAAD(toBinding(boundTo));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
    },
    isCurrent: (sealed) => sealed.split(".")[1] === current.id,
  };
}
