import type { z } from "@hono/zod-openapi";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { certificateSeen } from "#contracts/test-executioner/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { getDeferredUntil } from "../domain/alert/bundles.ts";
import { daysUntil, dueWarning, nextWarning, seenSince } from "../domain/alert/certificate-warnings.ts";
import { createCertificateMessage } from "../domain/alert/titles.ts";
import { ruleInForce } from "../domain/incident/rule-in-force.ts";
import { findChannels } from "../store/alert-channels.ts";
import { listAllRules } from "../store/alert-rules.ts";
import {
  type CertificateRow,
  deleteCertificatesUnseen,
  findCertificate,
  findDueCertificates,
  getWarnedDays,
  storeCertificate,
  updateWarned,
} from "../store/certificates.ts";
import { takeTurn } from "../store/incident-changes.ts";
import type { AnalyzerDatabase, AnalyzerTransaction } from "../store/tables.ts";
import type { Alerting } from "./alerting.ts";

/** Delay until the next attempt, by which a channel may have been configured. */
const hourMilliseconds = 60 * 60 * 1_000;
const dayMilliseconds = 24 * hourMilliseconds;
const rowsOfStep = 500;

export type CertificateWatch = ReturnType<typeof createCertificateWatch>;

/** Tracks when certificates of tested hosts expire, and warns the channels that receive failures. */
export function createCertificateWatch({ clock, alerting }: { clock: Clock; alerting: Alerting }) {
  /** @returns whether there is a channel to notify */
  async function notify(transaction: AnalyzerTransaction, row: CertificateRow, now: Date): Promise<boolean> {
    const rules = await listAllRules(transaction, row.organization_id);
    const rule = ruleInForce(rules, { testCircleId: null, apiId: row.api_id });
    const channels = rule ? await findChannels(transaction, row.organization_id, rule.channelIds) : [];
    const enabledChannels = channels.filter(({ enabled }) => enabled);
    if (!rule || enabledChannels.length === 0) return false;
    const { host, valid_to: validTo } = row;
    const message = createCertificateMessage({ host, validTo, daysLeft: daysUntil(validTo, now) }, now);
    const { severity } = message;
    const quietHours = rule.policy.quietHours ?? null;
    const until = getDeferredUntil({ severity: severity ?? "high", quietHours, mutedUntil: null }, now);
    for (const channel of enabledChannels)
      await alerting.post(transaction, channel, message, { incidentIds: [], until });
    return true;
  }

  return {
    async hear(
      transaction: AnalyzerTransaction,
      { organizationId, occurredAt, payload }: z.infer<typeof certificateSeen>,
    ): Promise<void> {
      await takeTurn(transaction, organizationId);
      const { host, apiId, subject, issuer } = payload;
      const known = await findCertificate(transaction, organizationId, host);
      const seenAt = new Date(occurredAt);
      if (known && known.seen_at > seenAt) return;
      const validTo = new Date(payload.validTo);
      // Servers that share a name may present the old and the new certificate for a while.
      const warnedDays = known ? getWarnedDays(known, validTo) : null;
      await storeCertificate(transaction, {
        ...{ id: known?.id ?? uuidv7(), organization_id: organizationId, host, api_id: apiId },
        ...{ valid_to: validTo, subject, issuer, seen_at: seenAt },
        ...{ warned_days: null, warned_valid_to: null, warn_at: nextWarning({ validTo, warnedDays }) ?? null },
      });
    },

    /** Sends the due warnings of an organization. */
    async warn(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
      const now = clock.now();
      for (const row of await findDueCertificates(transaction, organizationId, now)) {
        const { id, valid_to: validTo, warned_days, warned_valid_to } = row;
        const days = dueWarning({ validTo, warnedDays: getWarnedDays(row, validTo) }, now);
        const isTested = row.seen_at >= seenSince(now);
        if (days === undefined || !isTested) {
          await updateWarned(transaction, { id, warned_days, warned_valid_to, warn_at: null });
          continue;
        }
        if (!(await notify(transaction, row, now))) {
          const lookAgain = new Date(now.getTime() + hourMilliseconds);
          await updateWarned(transaction, { id, warned_days, warned_valid_to, warn_at: lookAgain });
          continue;
        }
        const next = nextWarning({ validTo, warnedDays: days }) ?? null;
        await updateWarned(transaction, { id, warned_days: days, warned_valid_to: validTo, warn_at: next });
      }
    },
  };
}

/** Deletes, in small steps, certificates that no test meets any more. */
export async function retainCertificates(
  { db, clock }: { db: AnalyzerDatabase; clock: Clock },
  stopping: AbortSignal,
): Promise<void> {
  const since = seenSince(clock.now());
  while (!stopping.aborted && (await deleteCertificatesUnseen(db, { since, limit: rowsOfStep })) === rowsOfStep);
}

/**
 * Runs once a day.
 * @returns stops it, after the current step
 */
export function startCertificateRetention(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  log: Logger;
}): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: dayMilliseconds,
    work: (stopping) => retainCertificates(parts, stopping),
    failure: "certificates that tests no longer receive could not be deleted",
    log: parts.log,
  });
}
