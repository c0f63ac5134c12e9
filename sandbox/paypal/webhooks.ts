import { createSign, createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Opened } from "./documents.ts";
import type { Faults } from "./faults.ts";
import type { Happening } from "./lifecycle.ts";
import { showSubscription } from "./present.ts";
import { type Subscription, type Transaction, type WebhookEvent, webhookEvent } from "./shapes.ts";

/** The merchant's endpoint. */
export interface Webhook {
  id: string;
  url: string;
}

const keys = z.object({ privateKey: z.string(), publicKey: z.string() });

/** PayPal tries 25 times over three days. */
const maxTries = 25;
const pauseSeconds = (tries: number) => Math.min(10 * 2 ** (tries - 1), 10_800);

let madeKeys: z.infer<typeof keys> | undefined;
/** One key pair per process: generating one takes a fifth of a second of CPU time. */
function makeKeys(): z.infer<typeof keys> {
  madeKeys ??= generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return madeKeys;
}

async function ownKeys(documents: Opened): Promise<z.infer<typeof keys>> {
  const stored = await documents.find("keys", keys, "webhooks");
  if (stored) return stored;
  const made = makeKeys();
  await documents.put("keys", "webhooks", made);
  return made;
}

const signedText = (transmissionId: string, time: string, webhookId: string, body: string) =>
  `${transmissionId}|${time}|${webhookId}|${crc32(body)}`;

/** The headers of one delivery. Its id, time, webhook and the checksum of its bytes are signed. */
export async function signDelivery(documents: Opened, webhook: Webhook, body: string, now: Date, base: string) {
  const { privateKey } = await ownKeys(documents);
  const transmissionId = crypto.randomUUID();
  const time = now.toISOString();
  const signature = createSign("RSA-SHA256")
    .update(signedText(transmissionId, time, webhook.id, body))
    .sign(privateKey);
  return {
    "content-type": "application/json",
    "paypal-auth-algo": "SHA256withRSA",
    "paypal-cert-url": `${base}/v1/notifications/certs/CERT-sandbox`,
    "paypal-transmission-id": transmissionId,
    "paypal-transmission-sig": signature.toString("base64"),
    "paypal-transmission-time": time,
  };
}

export const signatureInput = z.object({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
});

/**
 * @param event the bytes of `webhook_event` as sent: the signature does not cover any other serialization of the
 * same JSON
 */
export async function verifySignature(
  documents: Opened,
  webhooks: Webhook[],
  input: z.infer<typeof signatureInput>,
  event: string,
): Promise<boolean> {
  if (!webhooks.some(({ id }) => id === input.webhook_id) || input.auth_algo !== "SHA256withRSA") return false;
  const { publicKey } = await ownKeys(documents);
  const text = signedText(input.transmission_id, input.transmission_time, input.webhook_id, event);
  return createVerify("RSA-SHA256").update(text).verify(publicKey, input.transmission_sig, "base64");
}

/** Stores events for delivery. */
export async function keepEvents(
  documents: Opened,
  subscription: Subscription,
  happened: Happening[],
  locations: { base: string; publicBase: string },
  now: Date,
): Promise<void> {
  for (const happening of happened) {
    const id = `WH-${randomBytes(9).toString("hex").toUpperCase()}`;
    const time = now.toISOString();
    const isSale = happening.type === "SALE";
    const event: WebhookEvent = {
      id,
      create_time: time,
      event_type: isSale ? "PAYMENT.SALE.COMPLETED" : `BILLING.SUBSCRIPTION.${happening.type}`,
      resource_type: isSale ? "sale" : "subscription",
      summary: isSale ? "Payment completed." : `Subscription ${happening.type.toLowerCase()}.`,
      resource: isSale
        ? {
            id: `SALE-${id.slice(3, 15)}`,
            state: "completed",
            billing_agreement_id: subscription.id,
            amount: { total: happening.transaction.amount.value, currency: happening.transaction.amount.currency_code },
            create_time: happening.transaction.time,
          }
        : showSubscription(subscription, locations),
      tries: 0,
      due: time,
    };
    await documents.put("event", id, event);
  }
}

/** Stores the event of a refund: like PayPal's it names the payment only, and that of a reversal has it in a link. */
export async function keepRefund(
  documents: Opened,
  { id: sale_id, amount }: Transaction,
  now: Date,
  { amount: part = amount.value, isReversal = false }: { amount?: string; isReversal?: boolean } = {},
): Promise<void> {
  const id = `WH-${randomBytes(9).toString("hex").toUpperCase()}`;
  const time = now.toISOString();
  const event: WebhookEvent = {
    id,
    create_time: time,
    event_type: isReversal ? "PAYMENT.SALE.REVERSED" : "PAYMENT.SALE.REFUNDED",
    resource_type: isReversal ? "sale" : "refund",
    summary: isReversal ? "Payment reversed." : "Payment refunded.",
    resource: {
      id: `REFUND-${id.slice(3, 15)}`,
      state: "completed",
      amount: { total: isReversal ? `-${part}` : part, currency: amount.currency_code },
      create_time: time,
      ...(isReversal
        ? { links: [{ href: `https://api.paypal.com/v1/payments/sale/${sale_id}`, rel: "sale", method: "GET" }] }
        : { sale_id }),
    },
    tries: 0,
    due: time,
  };
  await documents.put("event", id, event);
}

/** An event as sent. */
export function eventBody({ tries: _tries, due: _due, ...event }: WebhookEvent): string {
  return JSON.stringify({
    event_version: "1.0",
    resource_version: "2.0",
    ...event,
    links: [],
  });
}

/** Those due now, in delivery order. */
export async function dueEvents(documents: Opened, faults: Faults, now: Date): Promise<WebhookEvent[]> {
  if (faults.webhooks("hold")) return [];
  const events = await documents.list("event", webhookEvent);
  const due = events.filter(({ due }) => due !== null && new Date(due) <= now);
  if (faults.webhooks("reorder")) due.reverse();
  return faults.webhooks("duplicate") ? due.flatMap((event) => [event, event, event]) : due;
}

export async function noteDelivery(documents: Opened, id: string, arrived: boolean, now: Date): Promise<void> {
  const event = await documents.find("event", webhookEvent, id);
  if (!event) return;
  const tries = event.tries + 1;
  const next =
    arrived || tries >= maxTries ? null : new Date(now.getTime() + pauseSeconds(tries) * 1_000).toISOString();
  await documents.put("event", id, { ...event, tries, due: next });
}
