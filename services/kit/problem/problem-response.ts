import type { Problem } from "#contracts/kit/problem.ts";

/** Default Retry-After of an unavailable service. */
const usualAbsenceSeconds = 5;

export function problemResponse(problem: Problem, requestId: string): Response {
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    "cache-control": "no-store",
  };
  const retryAfter = problem.extras.retryAfterSeconds ?? (problem.status === 503 ? usualAbsenceSeconds : undefined);
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  if (problem.status === 401) headers["www-authenticate"] = "Bearer";
  if (problem.extras.allow !== undefined) headers.allow = problem.extras.allow;
  return new Response(JSON.stringify(problem.toDetails(requestId)), { status: problem.status, headers });
}
