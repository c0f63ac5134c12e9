import type { SubscriptionState } from "./subscription.ts";

/** How long before its end a trial's billing managers are notified. */
export const noticeDays = 3;

const dayMilliseconds = 86_400_000;

export interface Trial {
  /** Of the price it began with; 0 for none. */
  days: number;
  /** When the first payment is due; null until known. */
  endsAt: Date | null;
  /** When its end was announced. */
  noticedAt: Date | null;
}

/** The facts of the provider's response that decide. */
export interface SeenBilling {
  state: string;
  nextBillingAt: Date | null;
  lastPayment: unknown;
  failedPayments: number;
}

/** Until a payment is collected, the provider's next payment is the first one, and the trial lasts until then. */
export function trialAfter(trial: Trial, seen: SeenBilling | undefined, now: Date): Trial {
  const { days, endsAt, noticedAt } = trial;
  const isOver = endsAt === null ? days === 0 : endsAt <= now;
  if (isOver || seen?.state !== "ACTIVE" || seen.lastPayment || seen.failedPayments > 0) return trial;
  // For a short trial the email at its start already gives the end.
  const isShort = endsAt === null && days <= noticeDays;
  return { days, endsAt: seen.nextBillingAt ?? endsAt, noticedAt: isShort ? now : noticedAt };
}

/** When to announce its end; null for no longer or never. */
export function getTrialNoticeAt({ endsAt, noticedAt }: Trial): Date | null {
  return endsAt && !noticedAt ? new Date(endsAt.getTime() - noticeDays * dayMilliseconds) : null;
}

export function isNoticeDue(trial: Trial, now: Date): boolean {
  const at = getTrialNoticeAt(trial);
  return at !== null && at <= now && now < trial.endsAt!;
}

/** Whether a subscription grants its plan before any payment. */
export const isOnTrial = (state: SubscriptionState, endsAt: Date | null, now: Date): boolean =>
  state !== "PENDING_APPROVAL" && state !== "EXPIRED" && endsAt !== null && endsAt > now;
