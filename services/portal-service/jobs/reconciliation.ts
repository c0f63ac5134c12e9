import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { databaseProblem } from "../../kit/database/database-problem.ts";
import { type Family, gauge } from "../../kit/metrics/metrics.ts";
import { ProviderFailure } from "../payment/provider.ts";
import {
  beginReconciliation,
  deleteReconciliationsBefore,
  holdReconciliation,
  keepReconciled,
  listReconciliations,
  listToReconcile,
  releaseReconciliation,
} from "../store/reconciliations.ts";
import type { SubscriptionRow } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { ObservedTruth } from "./observed-truth.ts";

export interface ReconciliationParts {
  db: PortalDatabase;
  clock: Clock;
  truth: Pick<ObservedTruth, "ask">;
  log: Logger;
}

const dayMilliseconds = 86_400_000;
const everyMilliseconds = 5_000;
/** Per turn: with the pause, at most four per second, which leaves PayPal's limits to buyers. */
const atOnce = 20;
/** The lease of a process, after which others take over: a turn with a slow provider takes less. */
const heldMilliseconds = 15 * 60_000;
/** The pause after a provider does not respond. */
const restMilliseconds = 60_000;
const retentionDays = 400;

/**
 * Reads every live subscription with its payments from the provider, once a day and at the operator's request.
 * Differences are applied at once, as for every response, and stored. Each subscription is its own step: after a
 * crash it continues behind the last one.
 */
export function createReconciliation({ db, clock, truth, log }: ReconciliationParts) {
  /** @returns the failure that makes it pointless to check the others now */
  async function reconcile(reconciliationId: string, row: SubscriptionRow): Promise<ProviderFailure | undefined> {
    let failure: string | null = null;
    let differences: unknown[] = [];
    try {
      const requested = await truth.ask(row, { withPayments: true });
      differences = Array.isArray(requested.answer_differences) ? requested.answer_differences : [];
    } catch (error) {
      if (databaseProblem(error)) throw error;
      if (error instanceof ProviderFailure && error.kind !== "refused") return error;
      log.error({ err: error, subscriptionId: row.id }, "a subscription could not be reconciled");
      failure =
        error instanceof ProviderFailure ? "PayPal refuses to give information about it." : "It could not be compared.";
    }
    await db.transaction().execute(async (transaction) => {
      const reconciled = { subscription: row, differences, failure };
      await keepReconciled(transaction, reconciliationId, reconciled, clock.now());
    });
    return undefined;
  }

  /** The first is due a day after the first subscription: nothing can have been lost for long before. */
  async function beginWhenDue(now: Date): Promise<void> {
    const [newest] = await listReconciliations(db, { limit: 0 });
    const dayAgo = new Date(now.getTime() - dayMilliseconds);
    if (newest && newest.began_at > dayAgo) return;
    const [first] = await listToReconcile(db, null, 1);
    if (first && (newest || first.created_at <= dayAgo)) await beginReconciliation(db, now, null);
  }

  async function turn(stopping?: AbortSignal): Promise<void> {
    const now = clock.now();
    await beginWhenDue(now);
    const held = await holdReconciliation(db, now, new Date(now.getTime() + heldMilliseconds));
    if (!held) return;
    const due = await listToReconcile(db, held.after_id, atOnce);
    for (const row of due) {
      if (stopping?.aborted) return await releaseReconciliation(db, held.id, {});
      const away = await reconcile(held.id, row);
      if (!away) continue;
      log.warn(
        { kind: away.kind, reason: away.message },
        "reconciliation continues when the payment provider responds",
      );
      const rest = Math.max(restMilliseconds, (away.retryAfterSeconds ?? 0) * 1_000);
      return await releaseReconciliation(db, held.id, { heldUntil: new Date(clock.now().getTime() + rest) });
    }
    const isDone = due.length < atOnce;
    await releaseReconciliation(db, held.id, { endedAt: isDone ? clock.now() : null });
    if (isDone) await deleteReconciliationsBefore(db, new Date(now.getTime() - retentionDays * dayMilliseconds));
  }

  return {
    turn,
    start: () =>
      startPeriodicJob({
        intervalMilliseconds: everyMilliseconds,
        work: turn,
        failure: "subscriptions could not be reconciled",
        log,
      }),
  };
}

/** Of the last completed reconciliation. */
export async function reconciliationMetrics(db: PortalDatabase): Promise<Family[]> {
  const newest = await listReconciliations(db, { limit: 1 });
  const last = newest.find(({ ended_at }) => ended_at !== null);
  if (!last?.ended_at) return [];
  return [
    gauge(
      "payment_reconciliation_differences",
      "Subscriptions that were otherwise at the payment provider than known, in the last reconciliation.",
      last.differing,
    ),
    gauge(
      "payment_reconciliation_ended_timestamp_seconds",
      "When the last reconciliation with the payment provider ended.",
      Math.floor(last.ended_at.getTime() / 1_000),
    ),
  ];
}
