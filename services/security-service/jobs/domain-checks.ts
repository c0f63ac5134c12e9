import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { type AuditTables, insertAuditRecord } from "../../kit/audit/audit-table.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Queue } from "../../kit/queue/queue.ts";
import type { LookForProof } from "../domain-proof/look-for-proof.ts";
import { createDomainUnverifiedEmail } from "../emails/domain.ts";
import { keepProofResult } from "../http/domain-rows.ts";
import { findDomain, lockDomain, takeDueDomains, updateDomain } from "../store/domains.ts";
import { listAdministratorAddresses } from "../store/members.ts";
import type { SecurityDatabase } from "../store/tables.ts";

export const domainCheckQueue = "security-service.domain-checks";

const everyMilliseconds = 10 * 60 * 1_000;
const dayMilliseconds = 24 * 60 * 60 * 1_000;
const domainsOfStep = 200;
/** Enough recipients to be sure that one of them reads the email. */
const maxEmails = 50;

const payloadOf = z.object({ organizationId: z.uuid(), domainId: z.uuid(), dueAt: z.iso.datetime() });

export interface DomainCheckParts {
  db: SecurityDatabase;
  clock: Clock;
  log: Logger;
  queue: Queue;
  lookForProof: LookForProof;
  mail: Mail;
  /** Origin where users reach the portal. */
  portalOrigin(): string;
}

/** Dispatches the due daily checks, each once: the same transaction schedules a domain's next check a day later. */
export async function sendDueChecks({ db, clock, queue }: Pick<DomainCheckParts, "db" | "clock" | "queue">) {
  let taken: number;
  do {
    taken = await db.transaction().execute(async (transaction) => {
      const now = clock.now();
      const due = await takeDueDomains(transaction, now, domainsOfStep);
      const next_check_at = new Date(now.getTime() + dayMilliseconds);
      for (const domain of due) await updateDomain(transaction, domain, { next_check_at });
      const jobs = due.map(({ id, organization_id: organizationId }) => ({
        id: uuidv7(),
        payload: { organizationId, domainId: id, dueAt: now.toISOString() },
      }));
      await queue.send(transaction, domainCheckQueue, jobs);
      return due.length;
    });
  } while (taken === domainsOfStep);
}

/**
 * Checks whether a verified domain's proof still exists, and notifies the administrators when it no longer counts. A
 * check that is stored already is not stored again.
 */
export async function checkAgain(parts: Omit<DomainCheckParts, "queue">, payload: unknown) {
  const { db, clock, log, lookForProof, mail, portalOrigin } = parts;
  const { organizationId, domainId, dueAt } = payloadOf.parse(payload);
  const isOver = ({ state, checked_at }: { state: string; checked_at: Date | null }) =>
    state !== "verified" || (checked_at !== null && checked_at >= new Date(dueAt));
  const requested = await findDomain(db, organizationId, { id: domainId });
  if (!requested || isOver(requested)) return;
  const result = await lookForProof(requested);
  await db.transaction().execute(async (transaction) => {
    const stored = await lockDomain(transaction, organizationId, domainId);
    if (!stored || isOver(stored)) return;
    const now = clock.now();
    const { state, failure } = await keepProofResult(transaction, stored, result, { now, counted: true });
    if (state === stored.state) return;
    log.info({ domainId, failure }, "domain is no longer verified");
    await insertAuditRecord(transaction as unknown as Executor<AuditTables>, {
      id: uuidv7(),
      organization_id: organizationId,
      recorded_at: now,
      actor_kind: "service",
      actor_id: "security-service",
      actor_name: "security-service",
      client_address: null,
      request_id: uuidv7(),
      operation: "checkDomain",
      resource_kind: "domain",
      resource_id: domainId,
      before: { state: stored.state },
      after: { state, failure },
    });
    if (!mail.canSend) return;
    const href = `${portalOrigin()}/administration/domain/${encodeURIComponent(stored.name)}/edit`;
    const lost = { domain: stored.name, failure: failure ?? "", href };
    const addresses = await listAdministratorAddresses(transaction, organizationId, maxEmails);
    await mail.send(
      transaction,
      organizationId,
      addresses.map((address) => createDomainUnverifiedEmail(address, lost)),
    );
  });
}

/**
 * Checks verified domains every day.
 * @returns a function that stops it after the checks under way
 */
export async function startDomainChecks(parts: DomainCheckParts): Promise<() => Promise<void>> {
  const { queue, log } = parts;
  await queue.declare(domainCheckQueue, { attempts: 3, retryDelaySeconds: 60 });
  const work = queue.work(domainCheckQueue, { concurrency: 4, handle: (payload) => checkAgain(parts, payload) });
  const stopSending = startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: () => sendDueChecks(parts),
    failure: "domain checks could not be sent off",
    log,
  });
  return async () => {
    await stopSending();
    await work.stop();
  };
}
