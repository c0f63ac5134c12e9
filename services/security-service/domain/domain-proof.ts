import { toBareName } from "./domain-binding.ts";

/** How an organization proves that it owns a domain. */
export type ProofMethod = "dnsTxt" | "wellKnown";

/** Where a proof is expected, and its text. */
export interface ProofLocations {
  /** Null for names that can't have the record: IP addresses and single-label names. */
  record: { name: string; value: string } | null;
  /** Null for a wildcard, which is not a host. */
  file: { url: string; content: string } | null;
}

export const proofPath = "/.well-known/api-assurance.txt";

/** The same text for both methods, so that users copy one token. */
export function proofText(token: string): string {
  return `api-assurance=${token}`;
}

export function getProofLocations(domain: string, token: string): ProofLocations {
  const { name, port, isWildcard } = toBareName(domain);
  const text = proofText(token);
  const isAddress = name.startsWith("[") || /^[\d.]+$/.test(name);
  const hasRecords = !isAddress && name.includes(".");
  return {
    record: hasRecords ? { name: `_api-assurance.${name}`, value: text } : null,
    file: isWildcard ? null : { url: `https://${name}${port ? `:${port}` : ""}${proofPath}`, content: text },
  };
}

/** The default method for this domain. */
export function usualMethod(domain: string): ProofMethod {
  return getProofLocations(domain, "").record ? "dnsTxt" : "wellKnown";
}

/** Why a domain can't be proven with this method, as a message for the user; undefined when it can. */
export function findMethodError(domain: string, method: ProofMethod): string | undefined {
  const { record, file } = getProofLocations(domain, "");
  if (method === "dnsTxt" && !record) return "This host has no DNS name of its own: prove it with a file";
  if (method === "wellKnown" && !file) return "A wildcard covers many hosts: verify it with a DNS record";
  return undefined;
}

/** Result of looking for a proof. */
export type ProofResult =
  | { outcome: "found" }
  /** The location was reached and has no proof. */
  | { outcome: "missing"; failure: string }
  /** The location could not be reached, which is no evidence against the proof. */
  | { outcome: "unanswered"; failure: string };

export interface ProofStatus {
  state: "unverified" | "verified";
  /** When the proof was last found. */
  provenAt: Date | null;
  /** Consecutive daily checks that missed it. */
  missedChecks: number;
  /** Why the last check did not find it. */
  failure: string | null;
}

/** Consecutive missed daily checks after which a verified domain becomes unverified. */
export const maxMissedChecks = 3;
/** How long a verified domain may stay unreachable: outages of resolvers and hosts last days, not weeks. */
export const longestUnansweredMilliseconds = 14 * 24 * 60 * 60 * 1_000;

/**
 * Status of a domain after a check. A first proof counts at once; a missing one keeps counting for a while, because
 * records get lost in migrations and are restored.
 * @param counted false for manual checks: pressing a button three times is not three days
 */
export function getNextStatus(
  before: ProofStatus,
  result: ProofResult,
  { now, counted }: { now: Date; counted: boolean },
): ProofStatus {
  if (result.outcome === "found") return { state: "verified", provenAt: now, missedChecks: 0, failure: null };
  const { failure } = result;
  if (before.state === "unverified") return { ...before, failure };
  const missedChecks = before.missedChecks + Number(counted && result.outcome === "missing");
  const silence = now.getTime() - (before.provenAt?.getTime() ?? 0);
  const isOver = missedChecks >= maxMissedChecks || silence > longestUnansweredMilliseconds;
  return isOver
    ? { state: "unverified", provenAt: before.provenAt, missedChecks: 0, failure }
    : { ...before, missedChecks, failure };
}
