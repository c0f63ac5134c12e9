import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertDelivery } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { entityTag } from "../../kit/service/entity-tag.ts";
import { addressKey } from "../domain/alert/addresses.ts";
import { findAddresses } from "../store/alert-addresses.ts";
import type { ChannelRow } from "../store/alert-channels.ts";
import { findLastDeliveries } from "../store/alert-deliveries.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { toDelivery } from "./alert-deliveries.ts";

interface Parts {
  db: AnalyzerDatabase;
  clock: Clock;
}

/** Channels in the form of the API: with their last delivery and without secrets. */
export async function showChannels(
  { db, clock }: Parts,
  organizationId: string,
  rows: ChannelRow[],
): Promise<AlertChannel[]> {
  const ids = rows.map(({ id }) => id);
  const last = await findLastDeliveries(db, organizationId, ids);
  const keys = rows.flatMap(({ addresses }) => addresses.map(addressKey));
  const known = new Map((await findAddresses(db, organizationId, keys)).map((row) => [row.address_key, row]));
  return rows.map((row): AlertChannel => {
    const newest = last.get(row.id);
    const shared = {
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      lastDelivery: newest ? getLast(toDelivery(newest)) : null,
      version: row.version,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    };
    if (row.kind === "mail") {
      const addresses = row.addresses.map((address) => ({
        address,
        confirmedAt: known.get(addressKey(address))?.confirmed_at?.toISOString() ?? null,
      }));
      return { ...shared, kind: "mail", memberIds: row.member_ids, addresses };
    }
    if (row.kind === "webhook") {
      const { template = null, headerNames = [] } = row.settings;
      const secrets = getSecrets(row, clock.now());
      return { ...shared, kind: "webhook", url: row.url ?? "", template, headerNames, secrets };
    }
    if (row.kind === "telegram") {
      return { ...shared, kind: "telegram", url: row.url ?? "", chatId: row.settings.chatId ?? "" };
    }
    if (row.kind === "pagerDuty") return { ...shared, kind: "pagerDuty", url: row.url ?? "" };
    return { ...shared, kind: row.kind, host: row.host ?? "" };
  });
}

/** One channel with its ETag, and with its signing secret right after creation. */
export function createShowChannel(parts: Parts) {
  return async (row: ChannelRow, headers: Headers, secret?: string): Promise<AlertChannel> => {
    headers.set("etag", entityTag(row.version));
    const [channel] = await showChannels(parts, row.organization_id, [row]);
    return secret ? ({ ...channel, secret } as AlertChannel) : channel!;
  };
}

function getLast({ kind, state, status, detail, createdAt }: AlertDelivery) {
  return { kind, state, status, detail, createdAt };
}

function getSecrets(row: ChannelRow, now: Date) {
  const newest = { createdAt: row.secret_created_at!.toISOString(), validUntil: null };
  const { previous_secret_created_at: createdAt, previous_secret_until: until } = row;
  if (!createdAt || !until || until <= now) return [newest];
  return [newest, { createdAt: createdAt.toISOString(), validUntil: until.toISOString() }];
}
