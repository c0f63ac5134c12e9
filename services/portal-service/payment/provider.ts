import type { webhookRejections } from "#contracts/portal-service/deliveries.ts";
import type { Money } from "../domain/money.ts";

/** A subscription as returned by the provider, which is authoritative; any other source only causes a call. */
export type ProviderState = "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";

export interface ProviderSubscription {
  id: string;
  state: ProviderState;
  planId: string;
  /** The id assigned here at its creation. */
  customId: string | null;
  stateChangedAt: Date | null;
  nextBillingAt: Date | null;
  lastPayment: { amount: Money; at: Date } | null;
  failedPayments: number;
  outstanding: Money | null;
  /** Where its buyer approves it, while approval is pending. */
  approveUrl: string | null;
}

export interface ProviderPayment {
  id: string;
  state: "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";
  amount: Money;
  at: Date;
}

/** A refund reported by the provider. */
export interface ReportedRefund {
  id: string;
  paymentId: string;
  /** A reversal is made by the buyer's bank or by the provider. */
  kind: "REFUND" | "REVERSAL";
  amount: Money;
  at: Date;
}

export interface PlanAtProvider {
  /** One for all plans: subscriptions can't change between plans of different products. 6 to 50 characters. */
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
  /** The id assigned here; included in every response. */
  customId: string;
  /** The same for every try, so that repeated calls create one subscription. */
  requestId: string;
  brandName: string;
}

/** Why a delivery is not the provider's. */
export type WebhookRejection = (typeof webhookRejections)[number];

/** A payment provider. Every call may throw ProviderFailure. */
export interface PaymentProvider {
  /**
   * Creates a plan, once per `requestId`, and its product if missing.
   * @returns the provider's id
   */
  createPlan(plan: PlanAtProvider, requestId: string): Promise<string>;
  createSubscription(order: SubscriptionOrder): Promise<ProviderSubscription>;
  /** Undefined when the id is unknown to the provider. */
  findSubscription(id: string): Promise<ProviderSubscription | undefined>;
  activateSubscription(id: string, reason: string): Promise<void>;
  suspendSubscription(id: string, reason: string): Promise<void>;
  cancelSubscription(id: string, reason: string): Promise<void>;
  /**
   * Requests another plan.
   * @returns where the buyer approves it; null when no approval is needed
   */
  changePlan(id: string, order: WaysBack & { planId: string; requestId: string }): Promise<string | null>;
  listPayments(id: string, from: Date, to: Date): Promise<ProviderPayment[]>;
  /** The evidence, without a call, that the provider did not send this. */
  findWebhookRejection(headers: Headers): WebhookRejection | undefined;
  /**
   * Whether the provider sent this.
   * @param body the bytes as received
   */
  verifyWebhook(headers: Headers, body: Uint8Array): Promise<boolean>;
  /** The events between two times: the ids of their subscriptions, and refunds. */
  listReported(from: Date, to: Date): Promise<{ subscriptionIds: string[]; refunds: ReportedRefund[] }>;
}

/**
 * `away`: no response or an unreadable one; whether the call had an effect is unknown. `limited`: retry later.
 * `refused`: permanent; `issues` has the provider's reasons.
 */
export class ProviderFailure extends Error {
  constructor(
    readonly kind: "away" | "limited" | "refused",
    /** For the log: never with a token, an address that contains one, or a buyer's name. */
    what: string,
    readonly issues: string[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(what);
  }
}
