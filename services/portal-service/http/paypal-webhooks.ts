import { z } from "zod";
import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import { readLimitedText } from "../../kit/service/limited-body.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { readVouchedAddress } from "../../kit/service/visitor-address.ts";
import { createWebhookGate, type GateLimits, webhookLimits } from "../domain/webhook-gate.ts";
import { readReportedRefund } from "../payment/paypal/reported-refund.ts";
import {
  type PaymentProvider,
  ProviderFailure,
  type ReportedRefund,
  type WebhookRejection,
} from "../payment/provider.ts";
import { keepDelivery } from "../store/deliveries.ts";
import { findPaidFor } from "../store/payments.ts";
import { keepRefund } from "../store/refunds.ts";
import { findByProviderId, hintAt } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import { createRefusedDeliveries } from "./refused-deliveries.ts";

const largestBody = 1_048_576;

/** The fields read from an event: its type and its subscription. */
const sentEvent = z.object({
  id: z.string().min(1).max(100),
  event_type: z.string().min(1).max(100),
  resource: z
    .object({
      id: z.string().max(100).optional(),
      billing_agreement_id: z.string().max(100).optional(),
    })
    .optional(),
});

type SentEvent = z.infer<typeof sentEvent> & { refund: ReportedRefund | undefined };

function readEvent(text: string, now: Date): SentEvent | undefined {
  try {
    const event: unknown = JSON.parse(text);
    const { data } = sentEvent.safeParse(event);
    return data && { ...data, refund: readReportedRefund(event, now) };
  } catch {
    return undefined;
  }
}

/** A subscription event has its own id, a payment event the id of its subscription. */
const subscriptionIn = ({ event_type, resource }: z.infer<typeof sentEvent>): string | null =>
  (event_type.startsWith("BILLING.SUBSCRIPTION.") ? resource?.id : resource?.billing_agreement_id) ?? null;

interface WebhookParts {
  db: PortalDatabase;
  clock: Clock;
  provider: PaymentProvider | undefined;
  authenticate: Authenticate;
  /** Other limits, for tests. */
  limits?: GateLimits;
}

/**
 * Creates the handler of PayPal's webhooks: their content is never trusted, they only cause a call to PayPal. A
 * webhook that can't be PayPal's is refused without a call, and calls per minute are limited.
 */
export function createPayPalWebhookHandlers(
  parts: WebhookParts,
): Pick<Handlers<typeof portalServiceContract>, "receivePayPalWebhook"> {
  const { db, clock, provider, limits = webhookLimits } = parts;
  const gate = createWebhookGate(limits);
  const refused = createRefusedDeliveries({ db, clock });

  async function refuse(error: WebhookRejection, eventType?: string): Promise<Problem> {
    await refused.note(error, eventType);
    return new Problem("malformed_request", "PayPal did not send this.");
  }

  async function isGenuine(requested: PaymentProvider, request: Request, text: string, log: Call<Endpoint>["log"]) {
    try {
      return await requested.verifyWebhook(request.headers, Buffer.from(text));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ kind: error.kind, reason: error.message }, "a webhook could not be verified");
      throw new Problem("service_unavailable", "It could not be verified. Send it again.");
    }
  }

  return {
    async receivePayPalWebhook({ request, log }) {
      if (!provider) throw new Problem("malformed_request", "PayPal did not send this.");
      const error = provider.findWebhookRejection(request.headers);
      if (error) throw await refuse(error);
      const address = (await readVouchedAddress(request, parts.authenticate)) ?? "unknown";
      const entrance = await gate.enter(address, clock.now());
      if (!entrance.admitted)
        throw new Problem("too_many_requests", "Too many at this moment. Send it again.", entrance);
      try {
        const text = await readLimitedText(request, largestBody);
        const event = readEvent(text, clock.now());
        if (!event) throw await refuse("unreadable");
        if (!(await isGenuine(provider, request, text, log))) throw await refuse("signature", event.event_type);
        const providerId =
          subscriptionIn(event) ?? (event.refund ? await findPaidFor(db, event.refund.paymentId) : null);
        await db.transaction().execute(async (transaction) => {
          const now = clock.now();
          const delivery = { id: event.id, eventType: event.event_type, providerId, at: now };
          const [own] = providerId ? await findByProviderId(transaction, providerId) : [];
          const isNew = await keepDelivery(transaction, { ...delivery, subscriptionId: own?.id ?? null });
          // PayPal's list of payments shows that a refund took place, but not its amount; only the signed event has
          // it.
          if (event.refund) await keepRefund(transaction, event.refund);
          if (isNew && own) await hintAt(transaction, [own.provider_id], now);
        });
        return { received: true };
      } finally {
        entrance.leave();
      }
    },
  };
}
