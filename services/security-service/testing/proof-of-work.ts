import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { Challenge } from "altcha-lib/types";
import type { HumanCheck } from "#contracts/security-service/human-check.ts";

/**
 * Does the work of a browser.
 * @returns the token that a form sends as `recaptchaToken`
 */
export async function solveProofOfWork(requested: HumanCheck): Promise<string> {
  if (requested.kind !== "proofOfWork") throw new Error("A provider's check can't be solved.");
  const challenge = requested.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
