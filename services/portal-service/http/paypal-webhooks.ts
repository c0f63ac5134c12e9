import { z } from "zod";
import type { Clock } from "../../kit/clock/clock.ts";
import { Problem } from "../../kit/problem/problem.ts";
import { readLimitedText } from "../../kit/service/limited-body.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { findByProviderId, hintAt, keepDelivery } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";

const largestBody = 1_048_576;

/** What of an event is read: what it is called, and which subscription it is about. */
const told = z.object({
  id: z.string().min(1).max(100),
  event_type: z.string().min(1).max(100),
  resource: z
    .object({ id: z.string().max(100).optional(), billing_agreement_id: z.string().max(100).optional() })
    .optional(),
});

function readEvent(text: string): z.infer<typeof told> | undefined {
  try {
    return told.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Of a subscription's event its own id, of a payment's the one it was made for. */
const subscriptionIn = ({ event_type, resource }: z.infer<typeof told>): string | null =>
  (event_type.startsWith("BILLING.SUBSCRIPTION.") ? resource?.id : resource?.billing_agreement_id) ?? null;

/** Makes the handler of PayPal's webhooks: what they say is never believed, only that there is something to ask about. */
export function createPayPalWebhookHandlers(parts: {
  db: PortalDatabase;
  clock: Clock;
  provider: PaymentProvider | undefined;
}): Pick<Handlers<typeof portalServiceContract>, "receivePayPalWebhook"> {
  const { db, clock, provider } = parts;
  const notPayPals = () => new Problem("malformed_request", "PayPal did not send this.");
  return {
    async receivePayPalWebhook({ request, log }) {
      const text = await readLimitedText(request, largestBody);
      const event = readEvent(text);
      if (!provider || !event) throw notPayPals();
      let isGenuine: boolean;
      try {
        isGenuine = await provider.verifyWebhook(request.headers, Buffer.from(text));
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        log.warn({ kind: error.kind, reason: error.message }, "a webhook could not be verified");
        throw new Problem("service_unavailable", "It could not be verified. Send it again.");
      }
      if (!isGenuine) throw notPayPals();
      const providerId = subscriptionIn(event);
      await db.transaction().execute(async (transaction) => {
        const now = clock.now();
        const delivery = { id: event.id, eventType: event.event_type, providerId, at: now };
        const [own] = providerId ? await findByProviderId(transaction, providerId) : [];
        const isNew = await keepDelivery(transaction, { ...delivery, subscriptionId: own?.id ?? null });
        if (isNew && own) await hintAt(transaction, [own.provider_id], now);
      });
      return { received: true };
    },
  };
}
