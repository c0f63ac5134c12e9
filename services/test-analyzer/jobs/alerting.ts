import type { AlertIncident, AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { AlertPolicy, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { bundle, type DueNotification, getDeferredUntil, isOneByOne } from "../domain/alert/bundles.ts";
import { createIncidentsMessage } from "../domain/alert/titles.ts";
import { type ChannelRow, findChannels } from "../store/alert-channels.ts";
import type { DeliveryRow } from "../store/alert-deliveries.ts";
import {
  describeIncidents,
  endReminders,
  insertIncidentChannels,
  listNotifiedChannels,
  type NotifiedChannel,
  takeReminders,
} from "../store/incident-channels.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import { createPosting } from "./alert-posting.ts";
import type { AlertSender } from "./alert-sender.ts";
import { createDeferredAlerts } from "./deferred-alerts.ts";

const hour = 3_600_000;

/** A test that joined an incident, with the channels of its rule. */
export interface Concerned {
  incidentId: string;
  severity: Severity;
  mutedUntil: Date | null;
  policy: AlertPolicy;
  channelIds: readonly string[];
}

interface Posted<Item> {
  delivery: DeliveryRow;
  channel: ChannelRow;
  items: Item[];
}

export type Alerting = ReturnType<typeof createAlerting>;

/**
 * Notifies channels of incidents, in the transaction that decides: each channel once per incident when it opens, and
 * once when it is resolved.
 */
export function createAlerting({ clock, sender }: { clock: Clock; sender: AlertSender }) {
  const posting = createPosting({ clock, sender });
  const { post } = posting;
  const held = createDeferredAlerts({ clock, posting });

  /** Posts one message per channel and time. Disabled and deleted channels receive nothing. */
  async function postAll<Item extends DueNotification>(
    transaction: AnalyzerTransaction,
    organizationId: string,
    items: readonly Item[],
    toMessage: (incidents: AlertIncident[]) => AlertMessage,
  ): Promise<Posted<Item>[]> {
    if (items.length === 0) return [];
    const channelIds = [...new Set(items.map(({ channelId }) => channelId))];
    const channels = (await findChannels(transaction, organizationId, channelIds)).filter(({ enabled }) => enabled);
    const incidentIds = [...new Set(items.map(({ incidentId }) => incidentId))];
    const described = await describeIncidents(transaction, organizationId, incidentIds);
    const posted: Posted<Item>[] = [];
    for (const channel of channels) {
      const own = items.filter(({ channelId }) => channelId === channel.id);
      for (const bundled of bundle(own, isOneByOne(channel))) {
        const ids = bundled.map(({ incidentId }) => incidentId);
        const message = toMessage(ids.map((id) => described.get(id)!));
        const delivery = await post(transaction, channel, message, { incidentIds: ids, until: bundled[0].until });
        posted.push({ delivery, channel, items: bundled });
      }
    }
    return posted;
  }

  function toReminder(row: NotifiedChannel, now: Date): DueNotification {
    const of = { severity: row.severity, quietHours: row.quiet_hours, mutedUntil: null };
    return { incidentId: row.incident_id, channelId: row.channel_id, until: getDeferredUntil(of, now) };
  }

  return {
    post,

    /** Notifies channels that have not been notified of the incident. */
    async notifyOpened(
      transaction: AnalyzerTransaction,
      organizationId: string,
      concerned: readonly Concerned[],
    ): Promise<void> {
      const now = clock.now();
      const incidentIds = [...new Set(concerned.map(({ incidentId }) => incidentId))];
      const notified = await listNotifiedChannels(transaction, organizationId, incidentIds);
      const pairs = new Set(notified.map((row) => `${row.incident_id} ${row.channel_id}`));
      const items = concerned.flatMap(({ channelIds, ...item }) =>
        channelIds.flatMap((channelId) => {
          const pair = `${item.incidentId} ${channelId}`;
          if (pairs.has(pair)) return [];
          pairs.add(pair);
          const quietHours = item.policy.quietHours ?? null;
          return [{ ...item, channelId, quietHours, until: getDeferredUntil({ ...item, quietHours }, now) }];
        }),
      );
      const posted = await postAll(transaction, organizationId, items, (incidents) =>
        createIncidentsMessage("opened", incidents, { at: now }),
      );
      await insertIncidentChannels(
        transaction,
        posted.flatMap(({ delivery, channel, items: bundled }) =>
          bundled.map(({ incidentId, channelId, policy: { onRecovery, remindHours }, quietHours }) => ({
            incident_id: incidentId,
            channel_id: channelId,
            organization_id: organizationId,
            delivery_id: delivery.id,
            // An alert in PagerDuty would stay open for ever.
            tells_recovery: onRecovery || channel.kind === "pagerDuty",
            quiet_hours: quietHours,
            remind_hours: remindHours ?? null,
            remind_at: remindHours ? new Date(now.getTime() + remindHours * hour) : null,
          })),
        ),
      );
    },

    /** Notifies channels that were notified; deferred alerts for others are withheld. */
    async notifyResolved(
      transaction: AnalyzerTransaction,
      organizationId: string,
      incidentIds: string[],
      beginning?: string,
    ): Promise<void> {
      if (incidentIds.length === 0) return;
      const now = clock.now();
      const notified = await listNotifiedChannels(transaction, organizationId, incidentIds);
      const isHeld = (row: NotifiedChannel) => row.delivery_state === "held";
      await held.withhold(transaction, organizationId, notified.filter(isHeld));
      await endReminders(transaction, incidentIds);
      const items = notified.filter((row) => !isHeld(row) && row.tells_recovery).map((row) => toReminder(row, now));
      await postAll(transaction, organizationId, items, (incidents) =>
        createIncidentsMessage("recovered", incidents, { at: now, beginning }),
      );
    },

    /** Sends reminders of open incidents. Reminders due in quiet hours are skipped until the next one. */
    async remind(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
      const now = clock.now();
      const due = await takeReminders(transaction, organizationId, now);
      const items = due.filter((row) => row.delivery_state !== "held").map((row) => toReminder(row, now));
      await postAll(
        transaction,
        organizationId,
        items.filter(({ until }) => until === undefined),
        (incidents) => createIncidentsMessage("reminder", incidents, { at: now }),
      );
    },

    release: held.release,
  };
}
