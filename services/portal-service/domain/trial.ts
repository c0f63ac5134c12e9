import type { SubscriptionState } from "./subscription.ts";

/** So long before a trial ends, whoever manages billing is told. */
export const toldBeforeDays = 3;

const dayMilliseconds = 86_400_000;

export interface Trial {
  /** Of the price that it began with; 0 for none. */
  days: number;
  /** When the first payment is due; null before it is known. */
  endsAt: Date | null;
  /** When somebody was told that it is about to end. */
  toldAt: Date | null;
}

/** What of the provider's answer decides. */
export interface SeenBilling {
  state: string;
  nextBillingAt: Date | null;
  lastPayment: unknown;
  failedPayments: number;
}

/** While nothing was collected yet, the provider's next payment is the first one, and the trial lasts until then. */
export function trialAfter(trial: Trial, seen: SeenBilling | undefined, now: Date): Trial {
  const { days, endsAt, toldAt } = trial;
  const isOver = endsAt === null ? days === 0 : endsAt <= now;
  if (isOver || seen?.state !== "ACTIVE" || seen.lastPayment || seen.failedPayments > 0) return trial;
  // Of a short one its beginning says already when it ends.
  const isShort = endsAt === null && days <= toldBeforeDays;
  return { days, endsAt: seen.nextBillingAt ?? endsAt, toldAt: isShort ? now : toldAt };
}

/** When to tell that it is about to end; null: not any more, or not at all. */
export function trialToldAt({ endsAt, toldAt }: Trial): Date | null {
  return endsAt && !toldAt ? new Date(endsAt.getTime() - toldBeforeDays * dayMilliseconds) : null;
}

export function isTimeToTell(trial: Trial, now: Date): boolean {
  const at = trialToldAt(trial);
  return at !== null && at <= now && now < trial.endsAt!;
}

/** Whether a subscription gives its plan without a payment so far. */
export const isOnTrial = (state: SubscriptionState, endsAt: Date | null, now: Date): boolean =>
  state !== "PENDING_APPROVAL" && state !== "EXPIRED" && endsAt !== null && endsAt > now;
