import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A signing secret in the format of Standard Webhooks libraries: 256 random bits. */
export function createSigningSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/**
 * Headers of a delivery by the Standard Webhooks specification 1.0: HMAC-SHA256 over id, time and body, with each valid
 * secret.
 * @param sentAt receivers refuse messages that are older than some minutes, which prevents replays
 */
export function signatureHeaders(
  { id, body, sentAt }: { id: string; body: string; sentAt: Date },
  secrets: readonly string[],
): [name: string, value: string][] {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return [
    ["webhook-id", id],
    ["webhook-timestamp", timestamp],
    ["webhook-signature", signatures.join(" ")],
  ];
}
