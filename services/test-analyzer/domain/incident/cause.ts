import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import type { Failure } from "#contracts/test-executioner/histories.ts";

/** Errors that prevent any request from reaching its host. Codes of libraries/egress. */
const hostCodes = new Set(["dns_failed", "connection_refused", "connection_failed", "target_not_allowed"]);
/** The same, but only before the first response: later, one slow endpoint says nothing about its host. */
const cutOffCodes = new Set(["timeout", "connection_reset"]);
const phasesOfReaching = new Set(["dns", "connect", "tls"]);

function isOfHost({ causeCode, causePhase }: Failure): boolean {
  if (causeCode === null) return false;
  return hostCodes.has(causeCode) || (cutOffCodes.has(causeCode) && phasesOfReaching.has(causePhase ?? ""));
}

export interface FoundCause {
  /** Equal for all failures with one cause. */
  fingerprint: string;
  cause: IncidentCause;
  title: string;
}

interface Failed {
  testId: string;
  testName: string;
  environment: string;
  failure: Failure;
}

/**
 * The cause of a failure. Host, certificate and credential are the same cause for all tests that meet them; a failure
 * after the first failed step of its run has that step's cause.
 * @param first failure of the run
 */
export function findCause(failed: Failed, first?: Failed): FoundCause {
  const { host, causeCode, credentialId, trouble } = failed.failure;
  if (trouble) {
    const { locationId, name } = trouble;
    return {
      fingerprint: `place ${locationId ?? "portal"}`,
      cause: { kind: "place", locationId },
      title: `${capitalize(name ?? "A deleted location")} can't reach several hosts`,
    };
  }
  if (host !== null && causeCode === "tls_failed") {
    return {
      fingerprint: `certificate ${host}`,
      cause: { kind: "certificate", host },
      title: `TLS with ${host} fails`,
    };
  }
  if (host !== null && isOfHost(failed.failure)) {
    return { fingerprint: `host ${host}`, cause: { kind: "host", host }, title: `${host} is not reachable` };
  }
  if (credentialId !== null) {
    const title = host === null ? "A credential can't be used" : `${host} refuses a credential`;
    return { fingerprint: `credential ${credentialId}`, cause: { kind: "credential", credentialId, host }, title };
  }
  if (failed.failure.after && first) return findCause(first);
  const { testId, testName } = failed.failure.after ?? failed;
  return {
    fingerprint: `test ${testId} ${failed.environment}`.trim(),
    cause: { kind: "test", testId },
    title: `${testName} fails`,
  };
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether an incident belongs to one test: the test stays in it until it passes, whatever its later failures are. */
export function isOwn(cause: IncidentCause, testId: string): boolean {
  return cause.kind === "test" && cause.testId === testId;
}
