import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { Challenge } from "altcha-lib/types";

/** Time for a form to be sent and judged. */
const marginMilliseconds = 15_000;

/**
 * Until when a solution of it is of use, by the browser's clock. A clock that is wrong already when the challenge comes
 * tells nothing: then it is taken to hold, and the service says so if it does not.
 */
export function usefulUntil({ parameters }: Challenge, nowMilliseconds: number): number {
  const end = (parameters.expiresAt ?? Number.POSITIVE_INFINITY) * 1_000;
  return end > nowMilliseconds ? end - marginMilliseconds : Number.POSITIVE_INFINITY;
}

/**
 * Finds what an ALTCHA 2 challenge of PBKDF2 asks for; the browser derives the keys off the page's thread, so typing goes on
 * undisturbed. Answers the payload as it is sent: base64 of JSON.
 * @throws where the algorithm is another than PBKDF2, or nothing was found in 90 seconds
 */
export async function solveProof(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("no solution was found in time");
  return btoa(JSON.stringify({ challenge, solution }));
}
