import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { Challenge } from "altcha-lib/types";

/** Time for a form to be sent and checked. */
const marginMilliseconds = 15_000;

/**
 * Until when its solution is usable, by the browser's clock. If that clock is already past the end when the challenge
 * arrives, it is wrong: the solution is taken as valid, and the service rejects it if it is not.
 */
export function usefulUntil({ parameters }: Challenge, nowMilliseconds: number): number {
  const end = (parameters.expiresAt ?? Number.POSITIVE_INFINITY) * 1_000;
  return end > nowMilliseconds ? end - marginMilliseconds : Number.POSITIVE_INFINITY;
}

/**
 * Solves an ALTCHA 2 challenge of PBKDF2; the browser derives the keys off the main thread, so typing is not disturbed.
 * Returns the payload as it is sent: base64 of JSON.
 * @throws for an algorithm other than PBKDF2, or without a solution in 90 seconds
 */
export async function solveProof(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("no solution was found in time");
  return btoa(JSON.stringify({ challenge, solution }));
}
