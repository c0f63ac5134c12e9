import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { databaseProblem } from "../../kit/database/database-problem.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { findPaidFor } from "../store/payments.ts";
import { keepRefund } from "../store/refunds.ts";
import { askAt, hintAt, type SubscriptionRow, takeDue } from "../store/subscriptions.ts";
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
/** The pause after a provider responded to no call. */
const restMilliseconds = 15_000;
/** The lease of a process, after which others take over. */
const heldMilliseconds = 120_000;
const againMilliseconds = 30_000;
/** How often the provider's events are listed, for lost webhooks. */
const listenEveryMilliseconds = 30_000;
const overlapMilliseconds = 10 * 60_000;

/**
 * Reads due subscriptions from the provider: recently approved ones, ones without news, and each active one once a
 * day. The provider's events are also listed, since webhooks get lost.
 */
export function createSubscriptionChecks({ db, clock, truth, provider, log }: SubscriptionChecksOptions) {
  let listenedAt = 0;
  let restsUntil = new Date(0);

  async function listen(now: Date): Promise<void> {
    if (now.getTime() - listenedAt < listenEveryMilliseconds) return;
    const from = new Date((listenedAt || now.getTime()) - overlapMilliseconds);
    const { subscriptionIds, refunds } = await provider.listReported(from, now);
    const refunded: string[] = [];
    for (const refund of refunds) {
      const paidFor = (await keepRefund(db, refund)) && (await findPaidFor(db, refund.paymentId));
      if (paidFor) refunded.push(paidFor);
    }
    await hintAt(db, [...subscriptionIds, ...refunded], now);
    listenedAt = now.getTime();
  }

  /** @returns the subscriptions that could not be read */
  async function askAbout(row: SubscriptionRow): Promise<ProviderFailure | undefined> {
    try {
      await truth.ask(row, {});
    } catch (error) {
      if (databaseProblem(error)) throw error;
      const { id: subscriptionId } = row;
      if (error instanceof ProviderFailure) {
        log.warn(
          { subscriptionId, kind: error.kind, reason: error.message },
          "the payment provider could not be asked",
        );
        return error;
      }
      // About one subscription: the others are still checked.
      log.error({ err: error, subscriptionId }, "a subscription could not be asked about");
    }
    return undefined;
  }

  /** Retries them soon; when no call succeeded, none before the time that the provider gives. */
  async function tryAgain(due: SubscriptionRow[], failures: (ProviderFailure | undefined)[], now: Date): Promise<void> {
    const failed = due.filter((_, index) => failures[index]);
    if (failed.length === 0) return;
    await askAt(db, failed, new Date(now.getTime() + againMilliseconds));
    const requested = Math.max(...failures.map((failure) => failure?.retryAfterSeconds ?? 0)) * 1_000;
    const rest = failed.length === due.length ? Math.max(restMilliseconds, requested) : requested;
    restsUntil = new Date(now.getTime() + rest);
  }

  async function turn(): Promise<void> {
    const now = clock.now();
    if (now < restsUntil) return;
    const due = await takeDue(db, now, new Date(now.getTime() + heldMilliseconds), atOnce);
    await tryAgain(due, await Promise.all(due.map(askAbout)), now);
    if (now < restsUntil) return;
    try {
      await listen(now);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      restsUntil = new Date(now.getTime() + Math.max(restMilliseconds, (error.retryAfterSeconds ?? 0) * 1_000));
      log.warn({ kind: error.kind, reason: error.message }, "the payment provider could not be asked about its event");
    }
  }

  return {
    turn,
    start: () =>
      startPeriodicJob({
        intervalMilliseconds: everyMilliseconds,
        work: turn,
        failure: "subscriptions could not be checked",
        log,
      }),
  };
}
