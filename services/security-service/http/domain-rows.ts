import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Executor } from "../../kit/database/database.ts";
import { getNextStatus, type ProofResult, usualMethod } from "../domain/domain-proof.ts";
import { type DomainRow, insertOrLockDomain, updateDomain } from "../store/domains.ts";
import type { SecurityTables } from "../store/tables.ts";

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** A new domain: unverified, with a unique token. */
export function newDomain(organizationId: string, name: string, now: Date): DomainRow {
  return {
    id: uuidv7(),
    organization_id: organizationId,
    name,
    description: "",
    method: usualMethod(name),
    token: randomBytes(24).toString("base64url"),
    state: "unverified",
    proven_at: null,
    checked_at: null,
    missed_checks: 0,
    failure: null,
    unsafe_methods: "allowed",
    next_check_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** Creates the record of a domain when a credential is the first to name it. */
export async function requireDomain(
  transaction: Executor<SecurityTables>,
  { organization_id, domain }: { organization_id: string; domain: string },
  now: Date,
): Promise<void> {
  await insertOrLockDomain(transaction, newDomain(organization_id, domain, now));
}

/**
 * Stores the result of a check. A verified domain is checked again a day later, an unverified one on request.
 * @returns the updated domain
 */
export async function keepProofResult(
  transaction: Executor<SecurityTables>,
  stored: DomainRow,
  result: ProofResult,
  { now, counted }: { now: Date; counted: boolean },
) {
  const before = {
    state: stored.state,
    provenAt: stored.proven_at,
    missedChecks: stored.missed_checks,
    failure: stored.failure,
  };
  const { state, provenAt, missedChecks, failure } = getNextStatus(before, result, { now, counted });
  const tomorrow = new Date(now.getTime() + dayMilliseconds);
  const nextCheck = counted || stored.next_check_at === null ? tomorrow : stored.next_check_at;
  const changes = {
    state,
    proven_at: provenAt,
    missed_checks: missedChecks,
    failure,
    checked_at: now,
    next_check_at: state === "verified" ? nextCheck : null,
  };
  await updateDomain(transaction, stored, changes);
  return changes;
}
