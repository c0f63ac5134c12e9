import { preferenceApplied } from "#contracts/kit/headers.ts";
import { maxWaitSeconds } from "#contracts/test-executioner/executions.ts";

/**
 * Seconds to wait for the end: those of the query, or of the preference `wait` (RFC 7240, 4.3), which is then confirmed
 * in the response.
 */
export function getWaitSeconds({
  query,
  request,
  answerHeaders,
}: {
  query: { wait: number };
  request: Pick<Request, "headers">;
  answerHeaders: Headers;
}): number {
  if (query.wait > 0) return query.wait;
  const preferred = readPreferredWait(request.headers.get("prefer"));
  if (preferred === undefined) return 0;
  const seconds = Math.min(preferred, maxWaitSeconds);
  answerHeaders.set(preferenceApplied.name, `wait=${seconds}`);
  return seconds;
}

/** Of several, the first counts; what is no preference in the sense of the RFC is ignored, as it asks for. */
function readPreferredWait(header: string | null): number | undefined {
  for (const preference of (header ?? "").split(",")) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i.exec(preference) ?? [];
    if (seconds) return Number(seconds);
  }
  return undefined;
}
