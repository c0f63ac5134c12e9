import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { CallResult } from "../../services/kit/client/client.ts";

/** Of an address that leads nowhere. */
export const mistypedAddress = "The address may be mistyped, or what it showed was deleted.";

/** What an error view shows of a failed call; thrown as Response so that Remix finds the nearest error view. */
export function problemResponse(problem: ProblemDetails): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    statusText: problem.title,
    headers: { "content-type": "application/json" },
  });
}

/**
 * The value of an answer; a refusal is thrown as the error view's Response. A 401 becomes the way to sign-in
 * in `createPortal`, which is the one place that ends the session.
 */
export function required<Value>(answer: CallResult<Value>): Value {
  if (answer.ok) return answer.value;
  // What a page asks for comes from its address: one that makes no sense leads nowhere.
  const isMistyped = answer.problem.code === "malformed_request";
  const nowhere = { status: 404, code: "not_found", detail: mistypedAddress } as const;
  throw problemResponse(isMistyped ? { ...answer.problem, ...nowhere } : answer.problem);
}

/** Whether a service that refuses could not have answered anybody. */
export function isAway({ status }: { status: number }): boolean {
  return status >= 500 || status === 429;
}

/**
 * The value of an answer for a part of a page that can do without; undefined when its service failed, which the page
 * says by itself (see `AwayNotice`). Who may not see it or is not signed in is still told so.
 */
export function available<Value>(answer: CallResult<Value>): Value | undefined {
  if (answer.ok) return answer.value;
  if (!isAway(answer)) throw problemResponse(answer.problem);
  return undefined;
}
