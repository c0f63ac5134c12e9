import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { AlertDelivery } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { AlertSender } from "../jobs/alert-sender.ts";
import { findChannel } from "../store/alert-channels.ts";
import { type DeliveryRow, findDelivery, listDeliveries, updateDelivery } from "../store/alert-deliveries.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

export function toDelivery(row: DeliveryRow): AlertDelivery {
  return {
    id: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    title: row.title,
    incidentIds: row.incident_ids,
    state: row.state,
    notBefore: row.not_before?.toISOString() ?? null,
    tries: row.tries,
    status: row.status,
    detail: row.detail,
    createdAt: row.created_at.toISOString(),
    triedAt: row.tried_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
  };
}

/** Creates the handlers for deliveries to channels. */
export function createDeliveryHandlers({
  db,
  sender,
}: {
  db: AnalyzerDatabase;
  sender: AlertSender;
}): Pick<Handlers<typeof testAnalyzerContract>, "listDeliveries" | "getDelivery" | "sendDeliveryAgain"> {
  return {
    async listDeliveries({ caller: { organizationId }, params: { channelId }, query: { limit, cursor, state } }) {
      if (!(await findChannel(db, organizationId, channelId))) throw notFound("channel");
      const before = cursor && readIdCursor(cursor);
      const rows = await listDeliveries(db, { organizationId, channelId }, { state, before, limit });
      return pageFrom(rows, limit, ({ id }) => [id], toDelivery);
    },

    async getDelivery({ caller: { organizationId }, params: { deliveryId } }) {
      const row = await findDelivery(db, organizationId, deliveryId);
      const channel = row && (await findChannel(db, organizationId, row.channel_id));
      if (!channel) throw notFound("delivery");
      const incidents = row.message.incidents.map(({ id, title }) => ({ id, title }));
      return { ...toDelivery(row), body: sender.write(row, channel), incidents };
    },

    async sendDeliveryAgain({ caller: { organizationId }, params: { deliveryId }, record }) {
      const before = await findDelivery(db, organizationId, deliveryId);
      if (!before) throw notFound("delivery");
      const row = await db.transaction().execute(async (transaction) => {
        const changes = { state: "waiting" as const, detail: null, status: null, delivered_at: null };
        const ended = ["delivered", "failed", "dropped"] as const;
        const changed = await updateDelivery(transaction, before, changes, [...ended]);
        if (!changed) throw new Problem("conflict", "This delivery is held or still being tried.");
        await sender.send(transaction, [changed]);
        await record(transaction, { id: deliveryId, before: { state: before.state }, after: { state: changed.state } });
        return changed;
      });
      return toDelivery(row);
    },
  };
}
