import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import type { AlertKind } from "../contract/alert-deliveries.ts";
import type { AlertMessage, ToldIncident } from "../contract/alert-messages.ts";
import type { AlertPolicy, Severity } from "../contract/alert-rules.ts";
import { bundle, heldUntil, type ToTell } from "../domain/alert/bundles.ts";
import { tellIncidents } from "../domain/alert/titles.ts";
import { type ChannelRow, findChannels } from "../store/alert-channels.ts";
import {
  type DeliveryRow,
  findDelivery,
  insertDeliveries,
  rewriteDelivery,
  updateDelivery,
} from "../store/alert-deliveries.ts";
import { insertEntries, type NewEntry } from "../store/incident-changes.ts";
import {
  describeIncidents,
  endReminders,
  insertIncidentChannels,
  listToldChannels,
  type ToldChannel,
  takeReminders,
} from "../store/incident-channels.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import type { AlertSender } from "./alert-sender.ts";

const hour = 3_600_000;

const sentences: Record<AlertKind, (channelName: string) => string> = {
  opened: (name) => `Alerted ${name}.`,
  reminder: (name) => `Reminded ${name}.`,
  recovered: (name) => `Told ${name} that it is over.`,
  burning: (name) => `Alerted ${name}.`,
  steady: (name) => `Told ${name} that it is over.`,
  certificate: (name) => `Alerted ${name}.`,
  test: (name) => `Tested ${name}.`,
};

/** A test that has come into an incident, and whom its rule tells of it. */
export interface Concerned {
  incidentId: string;
  severity: Severity;
  mutedUntil: Date | null;
  policy: AlertPolicy;
  channelIds: readonly string[];
}

export type Alerting = ReturnType<typeof createAlerting>;

/**
 * Tells channels of incidents, in the transaction that decides: each channel of each incident once that it broke, and
 * once that it is over.
 */
export function createAlerting({ clock, sender }: { clock: Clock; sender: AlertSender }) {
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

  /** Stores what is told and has it sent, or holds it. */
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

  /** Posts one message a channel and time. Channels that are switched off or gone are told nothing. */
  async function postAll<Item extends ToTell>(
    transaction: AnalyzerTransaction,
    organizationId: string,
    items: readonly Item[],
    tell: (incidents: ToldIncident[]) => AlertMessage,
  ): Promise<{ delivery: DeliveryRow; items: Item[] }[]> {
    if (items.length === 0) return [];
    const channelIds = [...new Set(items.map(({ channelId }) => channelId))];
    const channels = (await findChannels(transaction, organizationId, channelIds)).filter(({ enabled }) => enabled);
    const incidentIds = [...new Set(items.map(({ incidentId }) => incidentId))];
    const described = await describeIncidents(transaction, organizationId, incidentIds);
    const posted: { delivery: DeliveryRow; items: Item[] }[] = [];
    for (const channel of channels) {
      for (const bundled of bundle(items.filter(({ channelId }) => channelId === channel.id))) {
        const ids = bundled.map(({ incidentId }) => incidentId);
        const message = tell(ids.map((id) => described.get(id)!));
        const delivery = await post(transaction, channel, message, { incidentIds: ids, until: bundled[0].until });
        posted.push({ delivery, items: bundled });
      }
    }
    return posted;
  }

  function toldAgain(row: ToldChannel, now: Date): ToTell {
    const of = { severity: row.severity, quietHours: row.quiet_hours, mutedUntil: null };
    return { incidentId: row.incident_id, channelId: row.channel_id, until: heldUntil(of, now) };
  }

  /** Takes incidents out of what is held for a channel; a message of nothing is dropped. */
  async function withhold(
    transaction: AnalyzerTransaction,
    organizationId: string,
    held: ToldChannel[],
  ): Promise<void> {
    for (const deliveryId of new Set(held.map((row) => row.delivery_id))) {
      const delivery = await findDelivery(transaction, organizationId, deliveryId);
      if (!delivery) continue;
      const gone = held.filter((row) => row.delivery_id === deliveryId).map((row) => row.incident_id);
      const left = delivery.incident_ids.filter((id) => !gone.includes(id));
      if (left.length === 0) {
        await updateDelivery(transaction, delivery, { state: "dropped", not_before: null }, ["held"]);
      } else {
        const described = await describeIncidents(transaction, organizationId, left);
        const told = left.map((id) => described.get(id)!);
        const message = tellIncidents("opened", told, { at: clock.now() });
        await rewriteDelivery(transaction, delivery, { message, incidentIds: left });
      }
      const over = { organization_id: organizationId, incident_ids: gone };
      await note(transaction, over, { kind: "dropped", text: "It was over before this was sent." });
    }
  }

  return {
    post,

    /** Tells channels that have not been told of the incident. */
    async tellOpened(
      transaction: AnalyzerTransaction,
      organizationId: string,
      concerned: readonly Concerned[],
    ): Promise<void> {
      const now = clock.now();
      const incidentIds = [...new Set(concerned.map(({ incidentId }) => incidentId))];
      const told = await listToldChannels(transaction, organizationId, incidentIds);
      const pairs = new Set(told.map((row) => `${row.incident_id} ${row.channel_id}`));
      const items = concerned.flatMap(({ channelIds, ...item }) =>
        channelIds.flatMap((channelId) => {
          const pair = `${item.incidentId} ${channelId}`;
          if (pairs.has(pair)) return [];
          pairs.add(pair);
          const quietHours = item.policy.quietHours ?? null;
          return [{ ...item, channelId, quietHours, until: heldUntil({ ...item, quietHours }, now) }];
        }),
      );
      const posted = await postAll(transaction, organizationId, items, (incidents) =>
        tellIncidents("opened", incidents, { at: now }),
      );
      await insertIncidentChannels(
        transaction,
        posted.flatMap(({ delivery, items: bundled }) =>
          bundled.map(({ incidentId, channelId, policy: { onRecovery, remindHours }, quietHours }) => ({
            incident_id: incidentId,
            channel_id: channelId,
            organization_id: organizationId,
            delivery_id: delivery.id,
            tells_recovery: onRecovery,
            quiet_hours: quietHours,
            remind_hours: remindHours ?? null,
            remind_at: remindHours ? new Date(now.getTime() + remindHours * hour) : null,
          })),
        ),
      );
    },

    /** Who was told is told that it is over; who was to be told is told nothing any more. */
    async tellResolved(
      transaction: AnalyzerTransaction,
      organizationId: string,
      incidentIds: string[],
      beginning?: string,
    ): Promise<void> {
      if (incidentIds.length === 0) return;
      const now = clock.now();
      const told = await listToldChannels(transaction, organizationId, incidentIds);
      const isHeld = (row: ToldChannel) => row.delivery_state === "held";
      await withhold(transaction, organizationId, told.filter(isHeld));
      await endReminders(transaction, incidentIds);
      const items = told.filter((row) => !isHeld(row) && row.tells_recovery).map((row) => toldAgain(row, now));
      await postAll(transaction, organizationId, items, (incidents) =>
        tellIncidents("recovered", incidents, { at: now, beginning }),
      );
    },

    /** Tells again of what goes on. In quiet hours nobody is reminded: the next time comes. */
    async remind(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
      const now = clock.now();
      const due = await takeReminders(transaction, organizationId, now);
      const items = due.filter((row) => row.delivery_state !== "held").map((row) => toldAgain(row, now));
      await postAll(
        transaction,
        organizationId,
        items.filter(({ until }) => until === undefined),
        (incidents) => tellIncidents("reminder", incidents, { at: now }),
      );
    },

    /** Sends what was held, or holds it on where it is quiet or muted still. */
    async release(transaction: AnalyzerTransaction, delivery: DeliveryRow): Promise<void> {
      const now = clock.now();
      const { organization_id: organizationId, incident_ids: incidentIds } = delivery;
      const told = await listToldChannels(transaction, organizationId, incidentIds);
      const holds = told
        .filter((row) => row.channel_id === delivery.channel_id)
        .flatMap(({ severity, quiet_hours: quietHours, muted_until }) => {
          const mutedUntil = delivery.kind === "opened" ? muted_until : null;
          return heldUntil({ severity, quietHours, mutedUntil }, now) ?? [];
        });
      if (holds.length > 0) {
        const notBefore = new Date(Math.max(...holds.map((until) => until.getTime())));
        await updateDelivery(transaction, delivery, { not_before: notBefore }, ["held"]);
        return;
      }
      const released = await updateDelivery(transaction, delivery, { state: "waiting", not_before: null }, ["held"]);
      const [channel] = await findChannels(transaction, organizationId, [delivery.channel_id]);
      if (!released || !channel) return;
      await sender.send(transaction, [released]);
      await note(transaction, released, { kind: "alerted", text: sentences[released.kind](channel.name) });
    },
  };
}
