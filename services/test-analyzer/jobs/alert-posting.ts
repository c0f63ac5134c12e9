import { uuidv7 } from "uuidv7";
import type { AlertKind } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { ChannelRow } from "../store/alert-channels.ts";
import { type DeliveryRow, insertDeliveries, updateDelivery } from "../store/alert-deliveries.ts";
import { insertEntries, type NewEntry } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import type { AlertSender } from "./alert-sender.ts";

const sentences: Record<AlertKind, (channelName: string) => string> = {
  opened: (name) => `Alerted ${name}.`,
  reminder: (name) => `Reminded ${name}.`,
  recovered: (name) => `Notified ${name} that it is resolved.`,
  burning: (name) => `Alerted ${name}.`,
  steady: (name) => `Notified ${name} that it is resolved.`,
  certificate: (name) => `Alerted ${name}.`,
  test: (name) => `Tested ${name}.`,
};

/** Stores messages for channels, and records their deliveries in incident timelines. */
export function createPosting({ clock, sender }: { clock: Clock; sender: AlertSender }) {
  async function note(
    transaction: AnalyzerTransaction,
    { organization_id: organizationId, incident_ids }: Pick<DeliveryRow, "organization_id" | "incident_ids">,
    entry: Pick<NewEntry, "kind" | "text" | "until">,
  ): Promise<void> {
    const at = clock.now();
    await insertEntries(
      transaction,
      incident_ids.map((incidentId) => ({ organizationId, incidentId, at, ...entry })),
    );
  }

  /** Stores a message and queues or defers it. */
  async function post(
    transaction: AnalyzerTransaction,
    channel: ChannelRow,
    message: AlertMessage,
    { incidentIds, until }: { incidentIds: string[]; until: Date | undefined },
  ): Promise<DeliveryRow> {
    const delivery: DeliveryRow = {
      ...{ id: uuidv7(), organization_id: channel.organization_id, channel_id: channel.id },
      ...{ kind: message.kind, title: message.title, message, incident_ids: incidentIds },
      ...{ state: until ? "held" : "waiting", not_before: until ?? null, tries: 0, status: null, detail: null },
      ...{ created_at: clock.now(), tried_at: null, delivered_at: null },
    };
    await insertDeliveries(transaction, [delivery]);
    if (until) {
      await note(transaction, delivery, { kind: "held", text: `Held for ${channel.name}.`, until });
    } else {
      await sender.send(transaction, [delivery]);
      await note(transaction, delivery, { kind: "alerted", text: sentences[message.kind](channel.name) });
    }
    return delivery;
  }

  return {
    note,
    post,

    /** Sends deferred messages. */
    async release(transaction: AnalyzerTransaction, delivery: DeliveryRow, channel: ChannelRow): Promise<void> {
      const released = await updateDelivery(transaction, delivery, { state: "waiting", not_before: null }, ["held"]);
      if (!released) return;
      await sender.send(transaction, [released]);
      await note(transaction, released, { kind: "alerted", text: sentences[released.kind](channel.name) });
    },
  };
}
