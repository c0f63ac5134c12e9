import { CompactEncrypt, type CryptoKey, compactDecrypt, importJWK, type JWK } from "jose";

const algorithm = "ECDH-ES";
const encryption = "A256GCM";

/** @param sealingKey the raw public key in base64url */
export async function seal(value: unknown, sealingKey: string): Promise<string> {
  const key = (await importJWK({ kty: "OKP", crv: "X25519", x: sealingKey }, algorithm)) as CryptoKey;
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: algorithm, enc: encryption })
    .encrypt(key);
}

/** @throws JOSEError if it is sealed for another key, or was changed */
export async function openSealed(sealed: string, sealingKey: JWK): Promise<unknown> {
  const key = await importJWK(sealingKey, algorithm);
  const { plaintext } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: [algorithm],
    contentEncryptionAlgorithms: [encryption],
  });
  return JSON.parse(new TextDecoder().decode(plaintext));
}
