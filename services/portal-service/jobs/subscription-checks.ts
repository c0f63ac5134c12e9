import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { hintAt, takeDue } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { ProviderTruth } from "./provider-truth.ts";

export interface SubscriptionChecksOptions {
  db: PortalDatabase;
  clock: Clock;
  truth: ProviderTruth;
  provider: PaymentProvider;
  log: Logger;
}

const everyMilliseconds = 1_000;
const atOnce = 20;
/** Whoever takes one and dies leaves it to others after so long. */
const heldMilliseconds = 120_000;
/** What the provider told and nobody heard is looked up that often. */
const listenEveryMilliseconds = 30_000;
const overlapMilliseconds = 10 * 60_000;

/**
 * Asks the provider about subscriptions that are due: those that somebody just approved, those that were never heard of
 * again, and each active one once a day. What the provider told meanwhile is looked up, too, since webhooks get lost.
 */
export function createSubscriptionChecks({ db, clock, truth, provider, log }: SubscriptionChecksOptions) {
  let listenedAt = 0;

  async function listen(now: Date): Promise<void> {
    if (now.getTime() - listenedAt < listenEveryMilliseconds) return;
    const from = new Date((listenedAt || now.getTime()) - overlapMilliseconds);
    const told = await provider.listToldSubscriptions(from, now);
    if (listenedAt === 0 || told.length > 0) await hintAt(db, told, now);
    listenedAt = now.getTime();
  }

  async function turn(stopping?: AbortSignal): Promise<void> {
    const now = clock.now();
    const due = await takeDue(db, now, new Date(now.getTime() + heldMilliseconds), atOnce);
    for (const row of due) {
      if (stopping?.aborted) return;
      try {
        await truth.ask(row, {});
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        log.warn(
          { subscriptionId: row.id, kind: error.kind, reason: error.message },
          "the payment provider could not be asked",
        );
      }
    }
    try {
      await listen(now);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      listenedAt = listenedAt || 1;
      log.warn({ kind: error.kind, reason: error.message }, "the payment provider could not be asked what it told");
    }
  }

  return {
    turn,
    start: () =>
      startPeriodicJob({ everyMilliseconds, work: turn, failure: "subscriptions could not be checked", log }),
  };
}
