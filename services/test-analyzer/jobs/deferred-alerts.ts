import type { Clock } from "../../kit/clock/clock.ts";
import { getDeferredUntil } from "../domain/alert/bundles.ts";
import { createIncidentsMessage } from "../domain/alert/titles.ts";
import { findChannels } from "../store/alert-channels.ts";
import { type DeliveryRow, findDelivery, rewriteDelivery, updateDelivery } from "../store/alert-deliveries.ts";
import {
  describeIncidents,
  listNotifiedChannels,
  type NotifiedChannel,
  updateNotified,
} from "../store/incident-channels.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import type { createPosting } from "./alert-posting.ts";

/**
 * Alerts deferred until a channel's quiet hours or a mute end: withheld when the incident is resolved first, otherwise
 * sent.
 */
export function createDeferredAlerts({ clock, posting }: { clock: Clock; posting: ReturnType<typeof createPosting> }) {
  const { note, post } = posting;

  async function describeOpened(transaction: AnalyzerTransaction, organizationId: string, incidentIds: string[]) {
    const described = await describeIncidents(transaction, organizationId, incidentIds);
    const incidents = incidentIds.map((id) => described.get(id)!);
    return createIncidentsMessage("opened", incidents, { at: clock.now() });
  }

  /** Restricts a deferred delivery to these incidents. */
  async function rewriteDeferred(transaction: AnalyzerTransaction, delivery: DeliveryRow, incidentIds: string[]) {
    const message = await describeOpened(transaction, delivery.organization_id, incidentIds);
    await rewriteDelivery(transaction, delivery, { message, incidentIds });
  }

  /** Removes incidents from a channel's deferred alerts; an empty message is deleted. */
  async function withhold(
    transaction: AnalyzerTransaction,
    organizationId: string,
    held: NotifiedChannel[],
  ): Promise<void> {
    for (const deliveryId of new Set(held.map((row) => row.delivery_id))) {
      const delivery = await findDelivery(transaction, organizationId, deliveryId);
      if (!delivery) continue;
      const deleted = held.filter((row) => row.delivery_id === deliveryId).map((row) => row.incident_id);
      const left = delivery.incident_ids.filter((id) => !deleted.includes(id));
      if (left.length === 0) {
        await updateDelivery(transaction, delivery, { state: "dropped", not_before: null }, ["held"]);
      } else {
        await rewriteDeferred(transaction, delivery, left);
      }
      const over = { organization_id: organizationId, incident_ids: deleted };
      await note(transaction, over, { kind: "dropped", text: "It was over before this was sent." });
    }
  }

  return {
    withhold,

    /**
     * Sends a deferred delivery. Incidents that are still quiet or muted stay deferred, without delaying the others.
     */
    async release(transaction: AnalyzerTransaction, due: DeliveryRow): Promise<void> {
      const now = clock.now();
      const { organization_id: organizationId } = due;
      // The current row, since this transaction now has the lock.
      const delivery = await findDelivery(transaction, organizationId, due.id);
      const [channel] = await findChannels(transaction, organizationId, [due.channel_id]);
      if (delivery?.state !== "held" || !channel) return;
      const notified = await listNotifiedChannels(transaction, organizationId, delivery.incident_ids);
      const holds = new Map<string, Date>();
      for (const { channel_id, incident_id, severity, quiet_hours: quietHours, muted_until } of notified) {
        const mutedUntil = delivery.kind === "opened" ? muted_until : null;
        const until = getDeferredUntil({ severity, quietHours, mutedUntil }, now);
        if (channel_id === channel.id && until) holds.set(incident_id, until);
      }
      if (holds.size === 0) return await posting.release(transaction, delivery, channel);
      const notBefore = new Date(Math.min(...[...holds.values()].map((until) => until.getTime())));
      await updateDelivery(transaction, delivery, { not_before: notBefore }, ["held"]);
      const unheld = delivery.incident_ids.filter((id) => !holds.has(id));
      if (delivery.kind !== "opened" || unheld.length === 0) return;
      await rewriteDeferred(transaction, delivery, [...holds.keys()]);
      const message = await describeOpened(transaction, organizationId, unheld);
      const { id } = await post(transaction, channel, message, { incidentIds: unheld, until: undefined });
      await updateNotified(transaction, { channelId: channel.id, incidentIds: unheld, deliveryId: id });
    },
  };
}
