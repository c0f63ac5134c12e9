import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

/** What lies between a request that left and its answer; every other cause keeps us from asking. Codes of the egress door. */
export const noAnswerCodes = [
  "dns_failed",
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "tls_failed",
  "timeout",
  "body_encoding_failed",
  "protocol_error",
];
const noAnswer = new Set(noAnswerCodes);

export interface Ended {
  verdict: Verdict;
  /** Null where nothing was answered. */
  statusCode: number | null;
  causeCode: string | null;
}

/**
 * Whether the API was there when an execution asked it: it answered, and not with a server error that its test did not
 * expect. Undefined where it was not asked, so that nothing is said of it.
 */
export function isAvailable({ verdict, statusCode, causeCode }: Ended): boolean | undefined {
  if (statusCode !== null) return statusCode < 500 || verdict === "passed" || verdict === "flaky";
  return causeCode !== null && noAnswer.has(causeCode) ? false : undefined;
}
