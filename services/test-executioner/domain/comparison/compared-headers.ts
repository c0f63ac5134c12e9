import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";

/** Different for each response, or already covered by the comparison of bodies. */
const ownOfEach = new Set([
  ...["age", "alt-svc", "cf-ray", "connection", "content-length", "date", "etag", "expires", "keep-alive"],
  ...["last-modified", "server-timing", "set-cookie", "traceparent", "transfer-encoding", "x-amzn-trace-id"],
  ...["x-correlation-id", "x-request-id", "x-response-time", "x-runtime", "x-trace-id"],
]);

/** Headers as one JSON object, so that they are compared like bodies. */
export function headersToCompare({ headers }: Pick<ReceivedResponse, "headers">): string {
  const compared = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (ownOfEach.has(key)) continue;
    const before = compared.get(key);
    compared.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return JSON.stringify(Object.fromEntries(compared));
}
