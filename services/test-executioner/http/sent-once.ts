import { Problem } from "#contracts/kit/problem.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { Hiding } from "#libraries/running/hiding/hiding.ts";
import { Interrupted } from "#libraries/running/pause.ts";
import type { Prepared, SendingParts } from "#libraries/running/sending/preparing.ts";
import { sendPrepared } from "#libraries/running/sending/sending.ts";

/** Sends a prepared request for a waiting caller. Nothing is stored, and the result contains no secret. */
export async function sendOnce(
  parts: SendingParts & { hiding: Hiding },
  built: Prepared,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): Promise<Omit<Attempt, "verdict">> {
  const nothing = { number: 1, request: null, response: null, phases: null };
  if (!built.ok) {
    return { ...nothing, startedAt: parts.clock.now().toISOString(), durationMilliseconds: 0, cause: built.cause };
  }
  const result = await sendPrepared(parts, built.prepared, timeoutMilliseconds, { signal }).catch((error: unknown) => {
    if (error instanceof Interrupted) throw new Problem("service_unavailable", "The request was interrupted.");
    throw error;
  });
  const { startedAt, durationMilliseconds, phases, sent, secrets } = result;
  const response = result.received ?? null;
  const outcome = result.outcome === "failed" ? { response, cause: result.cause } : { response };
  const attempt = { ...nothing, startedAt, durationMilliseconds, phases, request: sent, ...outcome };
  const unhidden = { tries: [{ attempt, verifications: [] }], captured: {}, filledAssertions: [] };
  const { tries } = await parts.hiding.hide(unhidden, secrets);
  return tries[0]!.attempt;
}
