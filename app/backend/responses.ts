import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { CallResult } from "../../services/kit/client/client.ts";

/** Shown for an address without a page. */
export const mistypedAddress = "The address may be mistyped, or the page was deleted.";

/** The details of a failed call for the error view; thrown as a Response so that Remix finds the nearest error view. */
export function problemResponse(problem: ProblemDetails): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    statusText: problem.title,
    headers: { "content-type": "application/json" },
  });
}

/**
 * Unwraps a result; a refusal is thrown as a Response for the error view. A 401 becomes the redirect to sign-in in
 * `createPortal`, the only place that ends the session.
 */
export function required<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  // The input of a page's query comes from its address, so an invalid address is a missing page.
  const isMistyped = result.problem.code === "malformed_request";
  const nowhere = { status: 404, code: "not_found", detail: mistypedAddress } as const;
  throw problemResponse(isMistyped ? { ...result.problem, ...nowhere } : result.problem);
}

/** Whether the refusal means that the service could not have answered any caller. */
export function isAway({ status }: { status: number }): boolean {
  return status >= 500 || status === 429;
}

/**
 * Unwraps the result for an optional part of a page; undefined when its service failed, which the page reports (see
 * `AwayNotice`). Missing permission and a missing sign-in are still refused.
 */
export function available<Value>(result: CallResult<Value>): Value | undefined {
  if (result.ok) return result.value;
  if (!isAway(result)) throw problemResponse(result.problem);
  return undefined;
}
