import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

/** Failures between a sent request and its response; every other cause prevents the request. Codes of egress. */
export const noResponseCodes = [
  "dns_failed",
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "tls_failed",
  "timeout",
  "body_encoding_failed",
  "protocol_error",
];
const noResponse = new Set(noResponseCodes);

export interface Ended {
  verdict: Verdict;
  /** Null without a response. */
  statusCode: number | null;
  causeCode: string | null;
}

/**
 * Whether the API was available when an execution requested it: it responded, and not with a server error that its test
 * did not expect. Undefined if it was not requested, so that it does not count.
 */
export function isAvailable({ verdict, statusCode, causeCode }: Ended): boolean | undefined {
  if (statusCode !== null) return statusCode < 500 || verdict === "passed" || verdict === "flaky";
  return causeCode !== null && noResponse.has(causeCode) ? false : undefined;
}
