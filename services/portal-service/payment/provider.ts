import type { webhookRejections } from "#contracts/portal-service/deliveries.ts";
import type { Money } from "../domain/money.ts";

/** As the provider sees a subscription. Its answer is the truth; whatever else says so is a hint to ask. */
export type ProviderState = "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";

export interface ProviderSubscription {
  id: string;
  state: ProviderState;
  planId: string;
  /** The id that we gave it when it was made. */
  customId: string | null;
  stateChangedAt: Date | null;
  nextBillingAt: Date | null;
  lastPayment: { amount: Money; at: Date } | null;
  failedPayments: number;
  outstanding: Money | null;
  /** Where its buyer approves it, while it waits for that. */
  approveUrl: string | null;
}

export interface ProviderPayment {
  id: string;
  state: "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";
  amount: Money;
  at: Date;
}

/** What the provider told of money that went back. */
export interface ToldRefund {
  id: string;
  paymentId: string;
  /** A reversal is the buyer's bank's doing, or the provider's. */
  kind: "REFUND" | "REVERSAL";
  amount: Money;
  at: Date;
}

export interface PlanAtProvider {
  /** One for all plans: between those of different products nobody can change over. 6 to 50 characters. */
  productId: string;
  productName: string;
  name: string;
  description: string;
  price: Money;
  /** Free days before the first payment; 0 for none. */
  trialDays: number;
}

/** Where the provider sends a buyer back to. */
export interface WaysBack {
  returnUrl: string;
  cancelUrl: string;
}

export interface SubscriptionOrder extends WaysBack {
  planId: string;
  /** Ours; asked for again with every answer. */
  customId: string;
  /** The same for every try: however often it is sent, one subscription is made. */
  requestId: string;
  brandName: string;
}

/** Why a delivery is taken for somebody else's. */
export type WebhookFault = (typeof webhookRejections)[number];

/** What a payment provider does for us. Every call may throw ProviderFailure. */
export interface PaymentProvider {
  /** Makes a plan, once for each `requestId`, and its product where there is none yet. @returns the provider's id */
  createPlan(plan: PlanAtProvider, requestId: string): Promise<string>;
  createSubscription(order: SubscriptionOrder): Promise<ProviderSubscription>;
  /** Undefined where the provider knows none of this id. */
  findSubscription(id: string): Promise<ProviderSubscription | undefined>;
  activateSubscription(id: string, reason: string): Promise<void>;
  suspendSubscription(id: string, reason: string): Promise<void>;
  cancelSubscription(id: string, reason: string): Promise<void>;
  /** Asks for another plan. @returns where the buyer approves that; null where it counts without */
  changePlan(id: string, order: WaysBack & { planId: string; requestId: string }): Promise<string | null>;
  listPayments(id: string, from: Date, to: Date): Promise<ProviderPayment[]>;
  /** What shows without asking anybody that the provider did not send this. */
  findWebhookFault(headers: Headers): WebhookFault | undefined;
  /** Whether the provider sent this. @param body the bytes as they came */
  verifyWebhook(headers: Headers, body: Uint8Array): Promise<boolean>;
  /** What was told between two times: of which subscriptions, by their ids, and what went back. */
  listTold(from: Date, to: Date): Promise<{ subscriptionIds: string[]; refunds: ToldRefund[] }>;
}

/**
 * `away`: no answer, or none that can be read; whether it acted is not known. `limited`: later. `refused`: it will not,
 * whatever is tried; `issues` are its words for why.
 */
export class ProviderFailure extends Error {
  constructor(
    readonly kind: "away" | "limited" | "refused",
    /** For the log: never with a token, an address with one, or what a buyer is called. */
    what: string,
    readonly issues: string[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(what);
  }
}
