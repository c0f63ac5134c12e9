import type { JudgedResponse } from "../judged-response.ts";
import { findBrokenRequest } from "./broken-request.ts";

/**
 * What a server did with a request that breaks its document, as a sentence: "Accepted `title: 5` although a string is
 * documented (POST /books, 201)." Undefined where the request is as documented.
 */
export function describeAccepted(judged: JudgedResponse): string | undefined {
  const { operation, input, response } = judged;
  if (!operation) return input.request && describeUndocumented(judged, input.request);
  const broken = findBrokenRequest(judged);
  if (broken) {
    const { what, why } = broken;
    if (response.status >= 500) return `Server error on ${what}, although ${why} ${place(judged)}.`;
    const verb = response.status < 300 ? "Accepted" : "Did not refuse";
    return `${verb} ${what} although ${why} ${place(judged)}.`;
  }
  return isUnauthorized(judged) && response.status < 300 ? acceptedWithout(judged) : undefined;
}

/** "Accepted a request without credentials although they are required (GET /books, 200)." */
export function acceptedWithout(judged: JudgedResponse): string {
  return `Accepted a request without credentials although they are required ${place(judged)}.`;
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
