import { createHash, randomUUID } from "node:crypto";
import { type CryptoKey, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { agentAudience, assertionType, maxAssertionSeconds } from "#contracts/test-executioner/agent-limits.ts";

const algorithm = "EdDSA";
const lifetimeSeconds = 60;
const toleratedSkewSeconds = 60;

export interface CallToSign {
  method: string;
  /** Of the service: `/api/v1/agent-work`. */
  path: string;
  body: string;
}

export type SignCall = (call: CallToSign, now: Date) => Promise<string>;

const nameCall = ({ method, path }: Pick<CallToSign, "method" | "path">) => `${method.toUpperCase()} ${path}`;
const hashBody = (body: string) => createHash("sha256").update(body).digest("base64url");

export async function createSigner(signingKey: JWK, agentId: string): Promise<SignCall> {
  const key = await importJWK(signingKey, algorithm);
  return async (call, now) => {
    const seconds = Math.floor(now.getTime() / 1_000);
    return await new SignJWT({ call: nameCall(call), body: hashBody(call.body) })
      .setProtectedHeader({ alg: algorithm, typ: assertionType })
      .setSubject(agentId)
      .setAudience(agentAudience)
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetimeSeconds)
      .sign(key);
  };
}

export interface VerifiedCall {
  /** Unique for each call of an agent. */
  callId: string;
  /** Up to which the assertion may be used. */
  expiresAt: Date;
  isOfBody(body: string): boolean;
}

/**
 * @param signingKey the raw public key in base64url
 * @throws JOSEError unless the agent has signed this call
 */
export async function verifyCall(
  assertion: string,
  {
    agentId,
    signingKey,
    now,
    ...call
  }: Pick<CallToSign, "method" | "path"> & {
    agentId: string;
    signingKey: string;
    now: Date;
  },
): Promise<VerifiedCall> {
  const key = (await importJWK({ kty: "OKP", crv: "Ed25519", x: signingKey }, algorithm)) as CryptoKey;
  const { payload } = await jwtVerify(assertion, key, {
    algorithms: [algorithm],
    typ: assertionType,
    audience: agentAudience,
    subject: agentId,
    requiredClaims: ["iat", "exp", "jti", "call", "body"],
    maxTokenAge: maxAssertionSeconds,
    clockTolerance: toleratedSkewSeconds,
    currentDate: now,
  });
  const { exp = 0, iat = 0, jti } = payload;
  const isOfCall = payload.call === nameCall(call) && exp - iat <= maxAssertionSeconds;
  if (!isOfCall || typeof jti !== "string" || jti.length > 100) throw new WrongCall();
  return {
    callId: jti,
    expiresAt: new Date((exp + toleratedSkewSeconds) * 1_000),
    isOfBody: (body) => payload.body === hashBody(body),
  };
}

/** The assertion is the agent's, and of another call. */
export class WrongCall extends Error {
  override readonly name = "WrongCall";
}
