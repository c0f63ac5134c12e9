import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey as deriveByPbkdf2 } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import type { Clock } from "../../kit/clock/clock.ts";
import { deriveKey } from "../../kit/vault/vault.ts";
import { spendHumanCheck } from "../store/spent-human-checks.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import type { VisitorCheck } from "./visitor-check.ts";

/**
 * PBKDF2, because browsers run all of its rounds natively. Plain SHA-256 takes one WebCrypto call per round, 5.5 µs in
 * Chromium for a hash of 0.1 µs: a machine that bypasses the browser would be fifty times faster than a person's.
 */
const algorithm = "PBKDF2/SHA-256";
/**
 * One derivation: 0.7 ms in Chromium on a server core, 2.8 ms at a fourfold slowdown; creating a challenge costs us
 * one.
 */
const rounds = 5_000;
/**
 * Derivations needed to solve it, 300 on average: 0.2 to 0.3 s on that core, 0.6 to 1 s at a fourfold slowdown,
 * as on a mid-range phone. A counter chosen by us keeps the wait within these bounds; a search for leading zeros would
 * occasionally take five times as long.
 */
const fewestDerivations = 200;
const maxDerivations = 400;
/** People fill in forms slowly; the browser requests a new challenge after that. */
const proofMilliseconds = 20 * 60 * 1_000;

const hex = z.string().regex(/^[0-9a-f]+$/);
/** The payload in altcha-lib's terms. Unlisted fields are dropped and therefore not covered by the signature. */
const proof = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(algorithm),
      cost: z.number(),
      expiresAt: z.number(),
      keyLength: z.number(),
      keyPrefix: hex,
      keySignature: hex,
      nonce: hex,
      salt: hex,
    }),
    signature: hex,
  }),
  solution: z.object({ counter: z.number(), derivedKey: hex }),
});

function readProof(token: string): z.infer<typeof proof> | undefined {
  try {
    return proof.safeParse(JSON.parse(Buffer.from(token, "base64").toString())).data;
  } catch {
    return undefined;
  }
}

/** A proof of work (ALTCHA 2) without external services. Each is accepted once, across all replicas. */
export function createProofOfWork(options: { db: SecurityDatabase; clock: Clock; secretsKey: string }): VisitorCheck {
  const { db, clock } = options;
  const secret = (purpose: string) => deriveKey(options.secretsKey, purpose).toString("base64url");
  const secrets = {
    hmacSignatureSecret: secret("proof of work"),
    hmacKeySignatureSecret: secret("proof of work solution"),
  };
  return {
    async ask() {
      const challenge = await createChallenge({
        ...secrets,
        algorithm,
        cost: rounds,
        counter: randomInt(fewestDerivations, maxDerivations),
        deriveKey: deriveByPbkdf2,
        expiresAt: new Date(clock.now().getTime() + proofMilliseconds),
      });
      return { kind: "proofOfWork", challenge: { ...challenge } };
    },
    async judge(token) {
      const given = readProof(token);
      if (!given) return "wrong";
      const { verified } = await verifySolution({ ...secrets, ...given, deriveKey: deriveByPbkdf2 });
      const expiresAt = new Date(given.challenge.parameters.expiresAt * 1_000);
      // Checked here as well: the library knows only the system clock.
      if (!verified || expiresAt <= clock.now()) return "wrong";
      return (await spendHumanCheck(db, given.challenge.signature, expiresAt)) ? "right" : "wrong";
    },
  };
}
