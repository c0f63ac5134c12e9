import { exportJWK, generateKeyPair, type JWK } from "jose";

/** Both halves of both keys, as an agent stores them. */
export interface AgentKeys {
  signing: JWK;
  sealing: JWK;
}

/** Raw public keys in base64url, as the portal stores them. */
export interface PublicAgentKeys {
  signingKey: string;
  sealingKey: string;
}

export async function createAgentKeys(): Promise<AgentKeys> {
  const signing = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const sealing = await generateKeyPair("ECDH-ES", { crv: "X25519", extractable: true });
  return { signing: await exportJWK(signing.privateKey), sealing: await exportJWK(sealing.privateKey) };
}

export function getPublicKeys({ signing, sealing }: AgentKeys): PublicAgentKeys {
  return { signingKey: signing.x!, sealingKey: sealing.x! };
}
