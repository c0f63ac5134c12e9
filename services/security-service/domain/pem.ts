import { createPrivateKey, X509Certificate } from "node:crypto";

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** Restores the line breaks of PEM blocks that a single-line field has removed. */
export function wrapPem(text: string): string {
  const blocks = [...text.matchAll(block)].map(([, label, body = ""]) => {
    const lines = body.replace(/\s+/g, "").match(/.{1,64}/g) ?? [];
    return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join("\n");
  });
  return `${blocks.join("\n")}\n`;
}

/** Whether the text consists of certificates only. */
export function isCertificate(text: string): boolean {
  const blocks = wrapPem(text).match(block) ?? [];
  try {
    return blocks.length > 0 && blocks.every((one) => new X509Certificate(one).subject !== undefined);
  } catch {
    return false;
  }
}

/** Why this can't be the private key of that certificate; undefined when it is. */
export function findPrivateKeyError(key: string, certificate: string): string | undefined {
  if (/ENCRYPTED/.test(key))
    return "This key is locked by a passphrase. Paste it without one, as openssl pkey writes it";
  try {
    const privateKey = createPrivateKey(wrapPem(key));
    if (new X509Certificate(wrapPem(certificate)).checkPrivateKey(privateKey)) return undefined;
  } catch {
    return "Paste a private key in PEM, from -----BEGIN PRIVATE KEY----- on";
  }
  return "This private key belongs to another certificate";
}
