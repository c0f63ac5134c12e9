import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import type { Failure } from "#contracts/test-executioner/histories.ts";

/** What keeps a request from reaching its host, whatever it asks for. Codes of the egress door. */
const hostCodes = new Set(["dns_failed", "connection_refused", "connection_failed", "target_not_allowed"]);
/** The same, before anything is asked for: later, one slow endpoint says nothing of its host. */
const cutOffCodes = new Set(["timeout", "connection_reset"]);
const phasesOfReaching = new Set(["dns", "connect", "tls"]);

function isOfHost({ causeCode, causePhase }: Failure): boolean {
  if (causeCode === null) return false;
  return hostCodes.has(causeCode) || (cutOffCodes.has(causeCode) && phasesOfReaching.has(causePhase ?? ""));
}

export interface FoundCause {
  /** The same for all that fail by one cause. */
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
 * What a failure comes from. Host, certificate and credential are the same for all tests that meet them; what fails after
 * the first step of its run has failed by what that one failed.
 * @param first of its run, as it failed there
 */
export function causeOf(failed: Failed, first?: Failed): FoundCause {
  const { host, causeCode, credentialId } = failed.failure;
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
  if (failed.failure.after && first) return causeOf(first);
  const { testId, testName } = failed.failure.after ?? failed;
  return {
    fingerprint: `test ${testId} ${failed.environment}`.trim(),
    cause: { kind: "test", testId },
    title: `${testName} fails`,
  };
}

/** Whether an incident is a test's own: it stays in it until it passes, however it fails meanwhile. */
export function isOwn(cause: IncidentCause, testId: string): boolean {
  return cause.kind === "test" && cause.testId === testId;
}
