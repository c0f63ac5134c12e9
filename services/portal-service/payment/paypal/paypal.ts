import type { z } from "zod";
import { type Money, parseMoney, toDecimal } from "../../domain/money.ts";
import { type PaymentProvider, type PlanAtProvider, ProviderFailure, type ProviderSubscription } from "../provider.ts";
import { createPayPalCalls, type PayPalCallOptions } from "./paypal-calls.ts";
import { readReportedRefund } from "./reported-refund.ts";
import * as answers from "./responses.ts";

export interface PayPalOptions extends PayPalCallOptions {
  /** The id of this portal's webhook in the account. */
  webhookId: string;
}

/** Failed payments after which PayPal suspends. */
const failureThreshold = 3;

/** @throws ProviderFailure for an invalid amount: nothing is guessed */
function getMoney({ currency_code, value }: { currency_code: string; value: string }): Money {
  try {
    return parseMoney(value, currency_code);
  } catch {
    throw new ProviderFailure(
      "away",
      `an amount that can't be read: ${value.slice(0, 20)} ${currency_code.slice(0, 3)}`,
    );
  }
}
const toDate = (text: string | undefined) => (text ? new Date(text) : null);
const approveLink = (links: { href: string; rel: string }[]) =>
  links.find(({ rel }) => rel === "approve")?.href ?? null;

function readSubscription(result: z.output<typeof answers.subscription>): ProviderSubscription {
  const { billing_info } = result;
  const last = billing_info?.last_payment;
  const amount = last && getMoney(last.amount);
  return {
    id: result.id,
    state: result.status,
    planId: result.plan_id,
    customId: result.custom_id ?? null,
    stateChangedAt: toDate(result.status_update_time),
    nextBillingAt: toDate(billing_info?.next_billing_time),
    // A free cycle is no payment, even if listed as one.
    lastPayment: amount && amount.minorUnits > 0 ? { amount, at: new Date(last.time) } : null,
    failedPayments: billing_info?.failed_payments_count ?? 0,
    outstanding: billing_info?.outstanding_balance ? getMoney(billing_info.outstanding_balance) : null,
    approveUrl: approveLink(result.links),
  };
}

function getBillingCycles({ price, trialDays }: PlanAtProvider) {
  const trial = {
    frequency: { interval_unit: "DAY", interval_count: trialDays },
    tenure_type: "TRIAL",
    sequence: 1,
    total_cycles: 1,
    pricing_scheme: { fixed_price: { value: toDecimal({ ...price, minorUnits: 0 }), currency_code: price.currency } },
  };
  const regular = {
    frequency: { interval_unit: "MONTH", interval_count: 1 },
    tenure_type: "REGULAR",
    sequence: trialDays > 0 ? 2 : 1,
    // Until it is cancelled.
    total_cycles: 0,
    pricing_scheme: { fixed_price: { value: toDecimal(price), currency_code: price.currency } },
  };
  return trialDays > 0 ? [trial, regular] : [regular];
}

const context = ({ returnUrl, cancelUrl }: { returnUrl: string; cancelUrl: string }) => ({
  return_url: returnUrl,
  cancel_url: cancelUrl,
  shipping_preference: "NO_SHIPPING",
  user_action: "SUBSCRIBE_NOW",
});

const signatureHeaders = {
  auth_algo: "paypal-auth-algo",
  cert_url: "paypal-cert-url",
  transmission_id: "paypal-transmission-id",
  transmission_sig: "paypal-transmission-sig",
  transmission_time: "paypal-transmission-time",
} as const;

/** Whether a certificate URL is on PayPal's API host, by either of its exact names. */
function holdsCertificates(address: string, apiUrl: string): boolean {
  const api = new URL(apiUrl);
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  const hosts = [api.host, api.host.replace(/^api-m\./, "api.")];
  return protocol === api.protocol && hosts.includes(host) && !username && !password;
}

/** A spliced value must not add to the request. */
function isJsonObject(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const toPath = (id: string) => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

/**
 * PayPal Subscriptions v1. Its own SDK supports two fixed hosts only, so it could not be tested against anything but
 * PayPal; calls go through the egress door instead.
 */
export function createPayPal({ webhookId, ...options }: PayPalOptions): PaymentProvider {
  const paypal = createPayPalCalls(options);
  const act = async (id: string, action: string, reason: string, requestId?: string) => {
    await paypal.call({ method: "POST", path: `${toPath(id)}/${action}`, body: { reason }, requestId });
  };

  async function ensureProduct({ productId, productName }: PlanAtProvider): Promise<void> {
    const body = { id: productId, name: productName, type: "SERVICE" };
    try {
      await paypal.call({ method: "POST", path: "/v1/catalogs/products", body, requestId: productId });
    } catch (error) {
      const isThere = error instanceof ProviderFailure && error.issues.includes("DUPLICATE_RESOURCE_IDENTIFIER");
      if (!isThere) throw error;
    }
  }

  return {
    async createPlan(plan, requestId) {
      await ensureProduct(plan);
      const { id } = await paypal.ask(
        {
          method: "POST",
          path: "/v1/billing/plans",
          body: {
            product_id: plan.productId,
            name: plan.name,
            description: plan.description.slice(0, 127),
            status: "ACTIVE",
            billing_cycles: getBillingCycles(plan),
            payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: failureThreshold },
          },
          requestId,
        },
        answers.made,
      );
      return id;
    },

    async createSubscription({ planId, customId, requestId, brandName, ...ways }) {
      const result = await paypal.ask(
        {
          method: "POST",
          path: "/v1/billing/subscriptions",
          body: {
            plan_id: planId,
            custom_id: customId,
            application_context: { brand_name: brandName, ...context(ways) },
          },
          requestId,
        },
        answers.subscription,
      );
      return readSubscription(result);
    },

    async findSubscription(id) {
      const result = await paypal.find({ method: "GET", path: toPath(id) }, answers.subscription);
      return result && readSubscription(result);
    },

    activateSubscription: (id, reason) => act(id, "activate", reason),
    suspendSubscription: (id, reason) => act(id, "suspend", reason),
    cancelSubscription: (id, reason) => act(id, "cancel", reason),

    async changePlan(id, { planId, requestId, ...ways }) {
      const { links } = await paypal.ask(
        {
          method: "POST",
          path: `${toPath(id)}/revise`,
          body: { plan_id: planId, application_context: context(ways) },
          requestId,
        },
        answers.revision,
      );
      return approveLink(links);
    },

    async listPayments(id, from, to) {
      const query = new URLSearchParams({ start_time: from.toISOString(), end_time: to.toISOString() });
      const { transactions } = await paypal.ask(
        { method: "GET", path: `${toPath(id)}/transactions?${query}` },
        answers.transactions,
      );
      const payments = transactions.map((one) => ({
        id: one.id,
        state: one.status,
        amount: getMoney(one.amount_with_breakdown.gross_amount),
        at: new Date(one.time),
      }));
      return payments.filter(({ amount }) => amount.minorUnits > 0);
    },

    findWebhookRejection(headers) {
      if (Object.values(signatureHeaders).some((header) => !headers.get(header))) return "headers";
      const of = (field: keyof typeof signatureHeaders) => headers.get(signatureHeaders[field]) ?? "";
      if (of("auth_algo") !== "SHA256withRSA") return "algorithm";
      return holdsCertificates(of("cert_url"), options.apiUrl) ? undefined : "certificate";
    },

    async verifyWebhook(headers, body) {
      const signed = Object.entries(signatureHeaders).map(([field, header]) => [field, headers.get(header)] as const);
      if (signed.some(([, value]) => !value) || !isJsonObject(body)) return false;
      // The event's original bytes: reserialized JSON would not match the signature.
      const rawBody = Buffer.concat([
        Buffer.from(
          `${JSON.stringify({ ...Object.fromEntries(signed), webhook_id: webhookId }).slice(0, -1)},"webhook_event":`,
        ),
        body,
        Buffer.from("}"),
      ]);
      const result = await paypal.ask(
        { method: "POST", path: "/v1/notifications/verify-webhook-signature", rawBody, asks: true },
        answers.verification,
      );
      return result.verification_status === "SUCCESS";
    },

    async listReported(from, to) {
      const query = new URLSearchParams({
        start_time: from.toISOString(),
        end_time: to.toISOString(),
        page_size: "300",
      });
      const { events } = await paypal.ask(
        { method: "GET", path: `/v1/notifications/webhooks-events?${query}` },
        answers.listedEvents,
      );
      const ids = events.flatMap(({ event_type, resource }) =>
        event_type.startsWith("BILLING.SUBSCRIPTION.") ? (resource?.id ?? []) : (resource?.billing_agreement_id ?? []),
      );
      return {
        subscriptionIds: [...new Set(ids)],
        refunds: events.flatMap((event) => readReportedRefund(event, to) ?? []),
      };
    },
  };
}
