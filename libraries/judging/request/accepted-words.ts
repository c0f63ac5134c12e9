import type { JudgedResponse } from "../judged-response.ts";
import { type BrokenRequest, findBrokenRequest } from "./broken-request.ts";

/**
 * What a server did with a request that breaks its document, as a sentence: "Accepted `title: 5` although a string is
 * documented (POST /books, 201)." Undefined where the request is as documented.
 */
export function describeAccepted(judged: JudgedResponse): string | undefined {
  const { operation, input } = judged;
  if (!operation) return input.request && describeUndocumented(judged, input.request);
  const broken = findBrokenRequest(judged) ?? (isUnauthorized(judged) ? unauthorized : undefined);
  return broken && tell(broken, judged);
}

const unauthorized: BrokenRequest = { what: "a request without credentials", why: "they are required" };

function tell({ what, why }: BrokenRequest, judged: JudgedResponse): string {
  const { status } = judged.response;
  if (status >= 500) return `Server error on ${what}, although ${why} ${place(judged)}.`;
  return `${status < 300 ? "Accepted" : "Did not refuse"} ${what} although ${why} ${place(judged)}.`;
}

/** "Accepted a request without credentials although they are required (GET /books, 200)." */
export function acceptedWithout(judged: JudgedResponse): string {
  return tell(unauthorized, judged);
}

function describeUndocumented({ response }: JudgedResponse, { method, url }: { method: string; url: string }): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const verb = response.status >= 500 ? "Server error on" : response.status < 300 ? "Accepted" : "Did not refuse";
  return `${verb} ${method.toUpperCase()}, which is not documented for this path (${method.toUpperCase()} ${path}, ${response.status}).`;
}

function isUnauthorized({ operation, input }: JudgedResponse): boolean {
  const security = operation?.operation.security ?? [];
  return !input.authorized && security.length > 0 && security.every((alternative) => alternative.length > 0);
}

function place({ operation, response }: JudgedResponse): string {
  const { method, path } = operation!.operation;
  return `(${method.toUpperCase()} ${path}, ${response.status})`;
}
