import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { Problem } from "#contracts/kit/problem.ts";
import type { DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import { alertTries, webhookTimeoutSeconds } from "#contracts/test-analyzer/alert-webhooks.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { renderEmail } from "../../kit/mail/email.ts";
import type { Mail, OutgoingEmail } from "../../kit/mail/mail.ts";
import type { Queue } from "../../kit/queue/queue.ts";
import { judgeRecipients, judgeResponse, type Outcome } from "../domain/alert/outcome.ts";
import { signatureHeaders } from "../domain/alert/signature.ts";
import { createAlertEmail } from "../emails/alert.ts";
import { type ChannelRow, findChannel } from "../store/alert-channels.ts";
import {
  type DeliveryRow,
  findDelivery,
  insertDeliveries,
  markQueued,
  updateDelivery,
} from "../store/alert-deliveries.ts";
import { insertEntries } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import { createAlertRequest, finalStatuses, writeDisplayedBody } from "./alert-requests.ts";
import type { ChannelSecrets } from "./channel-secrets.ts";
import { findRecipients, type RecipientParts } from "./recipients.ts";

export const alertQueue = "test-analyzer-alerts";

export interface AlertSenderParts extends RecipientParts {
  queue: Queue;
  mail: Mail;
  egress: Egress;
  secrets: ChannelSecrets;
  clock: Clock;
  log: Logger;
  /** Base of links in alerts. */
  portalOrigin(): string;
  /** Whether this process delivers, or only queues. */
  work: boolean;
  /**
   * Number of attempts, and the delay before the second one; it doubles with each further attempt. Default: for a day.
   */
  tries?: { attempts: number; retryDelaySeconds: number };
}

export interface AlertSender {
  /** Queues waiting deliveries, effective with the commit. */
  send(transaction: AnalyzerTransaction, deliveries: Pick<DeliveryRow, "id" | "organization_id">[]): Promise<void>;
  /** Makes one attempt immediately and stores its outcome. */
  sendNow(delivery: DeliveryRow, channel: ChannelRow): Promise<DeliveryRow>;
  /** The body of a delivery as sent, without secrets in it. */
  write(delivery: DeliveryRow, channel: ChannelRow): string;
  stop(): Promise<void>;
}

const waiting = z.object({ deliveryId: z.uuid(), organizationId: z.uuid() });
type Waiting = z.infer<typeof waiting>;

/**
 * Delivers alerts to channels: one job per delivery, retried for a day. Delivery is at least once; a webhook always has
 * the same id.
 */
export async function createAlertSender(parts: AlertSenderParts): Promise<AlertSender> {
  const { db, queue, mail, egress, secrets, clock, log, portalOrigin, tries = alertTries } = parts;
  await queue.declare(alertQueue, tries);

  function write({ message }: DeliveryRow, channel: ChannelRow): string {
    const origin = portalOrigin();
    const { kind, name } = channel;
    if (kind !== "mail") return writeDisplayedBody(message, kind, { channel, origin });
    return renderEmail(createAlertEmail({ address: "" }, message, { channelName: name, origin })).text;
  }

  async function post(
    delivery: DeliveryRow,
    channel: ChannelRow & { kind: Exclude<ChannelRow["kind"], "mail"> },
  ): Promise<Outcome> {
    const { url, headers, body } = createAlertRequest(delivery.message, channel, { secrets, origin: portalOrigin() });
    const sentAt = clock.now();
    const signatures = signatureHeaders({ id: delivery.id, body, sentAt }, secrets.getSigningSecrets(channel, sentAt));
    const result = await egress.send({
      url,
      method: "POST",
      headers: [...headers, ...(channel.kind === "webhook" ? signatures : [])],
      body,
      timeoutMilliseconds: webhookTimeoutSeconds * 1_000,
      maxRedirects: 0,
      // Only the status of the response is stored.
      maxBodyBytes: 1_024,
      pool: channel.organization_id,
    });
    if (result.outcome === "answered") {
      return judgeResponse(new URL(url).host, result.response.status, finalStatuses[channel.kind]);
    }
    return { delivered: false, status: null, detail: result.failure.detail, isFinal: false };
  }

  /** Makes one attempt. Emails are queued later, in the transaction that stores the outcome. */
  async function reach(
    delivery: DeliveryRow,
    channel: ChannelRow,
  ): Promise<{ outcome: Outcome; emails: OutgoingEmail[] }> {
    const { kind } = channel;
    if (kind !== "mail") return { outcome: await post(delivery, { ...channel, kind }), emails: [] };
    const recipients = await findRecipients(parts, channel);
    const from = { channelName: channel.name, origin: portalOrigin() };
    return {
      outcome: judgeRecipients(recipients.length),
      emails: recipients.map((to) => createAlertEmail(to, delivery.message, from)),
    };
  }

  function tried(delivery: DeliveryRow, { delivered, status, detail, isFinal }: Outcome, isLast: boolean) {
    const now = clock.now();
    const state: DeliveryState = delivered ? "delivered" : isFinal || isLast ? "failed" : "waiting";
    const tries = delivery.tries + 1;
    return { state, status, detail, tries, tried_at: now, delivered_at: delivered ? now : null };
  }

  async function work({ deliveryId, organizationId }: Waiting, isLast: boolean): Promise<void> {
    const delivery = await findDelivery(db, organizationId, deliveryId);
    const channel = delivery && (await findChannel(db, organizationId, delivery.channel_id));
    if (delivery?.state !== "waiting" || !channel) return;
    if (!channel.enabled) {
      const detail = "The channel was switched off before this was sent.";
      await updateDelivery(db, delivery, { state: "dropped", detail }, ["waiting"]);
      return;
    }
    try {
      const { outcome, emails } = await reach(delivery, channel);
      const changes = tried(delivery, outcome, isLast);
      await db.transaction().execute(async (transaction) => {
        const isOurs = await updateDelivery(transaction, delivery, changes, ["waiting"]);
        if (isOurs && emails.length > 0) await mail.send(transaction, organizationId, emails);
        if (isOurs && changes.state === "failed") await noteUndelivered(transaction, delivery, channel, outcome.detail);
      });
      if (changes.state === "waiting") throw new NotArrived();
      if (changes.state === "failed") log.warn({ deliveryId, status: outcome.status }, "an alert was given up");
    } catch (error) {
      if (!isLast) throw error;
      log.error({ err: error, deliveryId }, "an alert could not be sent");
      const outcome = { delivered: false, status: null, detail: getReason(error), isFinal: true };
      await db.transaction().execute(async (transaction) => {
        const isOurs = await updateDelivery(transaction, delivery, tried(delivery, outcome, true), ["waiting"]);
        if (isOurs) await noteUndelivered(transaction, delivery, channel, outcome.detail);
      });
    }
  }

  async function noteUndelivered(
    transaction: AnalyzerTransaction,
    { organization_id: organizationId, incident_ids }: DeliveryRow,
    { name }: ChannelRow,
    detail: string,
  ): Promise<void> {
    const note = {
      organizationId,
      at: clock.now(),
      kind: "undelivered",
      text: `${name} could not be reached. ${detail}`,
    } as const;
    await insertEntries(
      transaction,
      incident_ids.map((incidentId) => ({ ...note, incidentId })),
    );
  }

  const worker = parts.work
    ? queue.work(alertQueue, {
        concurrency: 16,
        handle: (payload, job) => work(waiting.parse(payload), job.attempt >= tries.attempts),
      })
    : undefined;

  return {
    write,
    async send(transaction, deliveries) {
      if (deliveries.length === 0) return;
      const ids = deliveries.map(({ id }) => id);
      await markQueued(transaction, ids, clock.now());
      const jobs = deliveries.map(({ id, organization_id }) => ({
        id: uuidv7(),
        payload: { deliveryId: id, organizationId: organization_id } satisfies Waiting,
      }));
      await queue.send(transaction, alertQueue, jobs);
    },
    async sendNow(delivery, channel) {
      const { outcome, emails } = await reach(delivery, channel);
      const row = { ...delivery, ...tried(delivery, outcome, true) };
      await db.transaction().execute(async (transaction) => {
        await insertDeliveries(transaction, [row]);
        if (emails.length > 0) await mail.send(transaction, row.organization_id, emails);
      });
      return row;
    },
    stop: async () => await worker?.stop(),
  };
}

/** Makes the queue retry. */
class NotArrived extends Error {
  override readonly name = "NotArrived";
}

/** The message of a problem; any other error is internal and is only logged. */
function getReason(error: unknown): string {
  return error instanceof Problem ? error.detail : "It could not be sent for a reason on our side.";
}
