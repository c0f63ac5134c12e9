import { bareNameOf } from "./domain-binding.ts";

/** How an organization proves that a domain is its own. */
export type ProofMethod = "dnsTxt" | "wellKnown";

/** Where a proof is looked for, and what has to stand there. */
export interface ProofPlaces {
  /** Null where there is no name to hold a record: an address, or a name of one part. */
  record: { name: string; value: string } | null;
  /** Null for a wildcard, which is no host that could answer. */
  file: { url: string; content: string } | null;
}

export const proofPath = "/.well-known/api-assurance.txt";

/** The same words in both places: one token is copied, whichever way is taken. */
export function proofText(token: string): string {
  return `api-assurance=${token}`;
}

export function placesOfProof(domain: string, token: string): ProofPlaces {
  const { name, port, isWildcard } = bareNameOf(domain);
  const text = proofText(token);
  const isAddress = name.startsWith("[") || /^[\d.]+$/.test(name);
  const hasRecords = !isAddress && name.includes(".");
  return {
    record: hasRecords ? { name: `_api-assurance.${name}`, value: text } : null,
    file: isWildcard ? null : { url: `https://${name}${port ? `:${port}` : ""}${proofPath}`, content: text },
  };
}

/** The way that works for this domain, where nobody has chosen one. */
export function usualMethod(domain: string): ProofMethod {
  return placesOfProof(domain, "").record ? "dnsTxt" : "wellKnown";
}

/** Why a domain can't be proven in this way, in the user's words; undefined when it can. */
export function findMethodFault(domain: string, method: ProofMethod): string | undefined {
  const { record, file } = placesOfProof(domain, "");
  if (method === "dnsTxt" && !record) return "This host has no DNS name of its own: prove it with a file";
  if (method === "wellKnown" && !file) return "A wildcard stands for many hosts: prove it with a DNS record";
  return undefined;
}

/** What a look at the place of a proof found. */
export type ProofResult =
  | { outcome: "found" }
  /** The place was reached and the proof is not there. */
  | { outcome: "missing"; failure: string }
  /** The place could not be reached, which says nothing about the proof. */
  | { outcome: "unanswered"; failure: string };

export interface ProofStanding {
  state: "unverified" | "verified";
  /** When the proof was found last. */
  provenAt: Date | null;
  /** Daily checks in a row that found it missing. */
  missedChecks: number;
  /** Why the last check did not find it. */
  failure: string | null;
}

/** Daily checks in a row that find the proof missing before a verified domain is unverified. */
export const mostMissedChecks = 3;
/** How long a verified domain may go without any answer: resolvers and hosts fail for days, nobody's for weeks. */
export const longestUnansweredMilliseconds = 14 * 24 * 60 * 60 * 1_000;

/**
 * Where a domain stands after a check. A first proof counts at once; one that was there is missed for a while before
 * it no longer counts, since records are lost in moves and brought back.
 * @param counted false for a check that somebody asked for: pressing a button three times is not three days
 */
export function standingAfter(
  before: ProofStanding,
  result: ProofResult,
  { now, counted }: { now: Date; counted: boolean },
): ProofStanding {
  if (result.outcome === "found") return { state: "verified", provenAt: now, missedChecks: 0, failure: null };
  const { failure } = result;
  if (before.state === "unverified") return { ...before, failure };
  const missedChecks = before.missedChecks + Number(counted && result.outcome === "missing");
  const silence = now.getTime() - (before.provenAt?.getTime() ?? 0);
  const isOver = missedChecks >= mostMissedChecks || silence > longestUnansweredMilliseconds;
  return isOver
    ? { state: "unverified", provenAt: before.provenAt, missedChecks: 0, failure }
    : { ...before, missedChecks, failure };
}
