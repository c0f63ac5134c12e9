import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import { entityTag, versionsOf } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { AlertChannel, AlertChannelInput } from "../contract/alert-channels.ts";
import type { testAnalyzerContract } from "../contract/contract.ts";
import { addressKey, distinctAddresses } from "../domain/alert/addresses.ts";
import { createSigningSecret } from "../domain/alert/signature.ts";
import type { AlertSender } from "../jobs/alert-sender.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import { findMembers, type RecipientParts } from "../jobs/recipients.ts";
import { findAddresses, forgetAddresses } from "../store/alert-addresses.ts";
import {
  type ChannelRow,
  findChannel,
  insertChannel,
  listChannels,
  removeChannel,
  updateChannel,
} from "../store/alert-channels.ts";
import { findLastDeliveries } from "../store/alert-deliveries.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import type { AddressLinks } from "./address-links.ts";
import { shownDelivery } from "./alert-deliveries.ts";

type ChannelHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  | "listChannels"
  | "createChannel"
  | "getChannel"
  | "changeChannel"
  | "deleteChannel"
  | "rotateChannelSecret"
  | "testChannel"
>;

/** What a receiver of alerts is written as in rows; each kind has its own part and nothing of the others'. */
type Target = Pick<ChannelRow, "member_ids" | "addresses" | "url" | "sealed_url" | "host">;

const hour = 3_600_000;
const invalid = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

/** Who is told, and where; never an address that is a secret. */
function audited({ name, kind, enabled, member_ids, addresses, url, host, version }: ChannelRow) {
  return { name, kind, enabled, memberIds: member_ids, addresses, url, host, version };
}

function stale(): Problem {
  return new Problem("stale_version", "Somebody else changed this channel in the meantime. Look at it again.");
}

async function requireFreeName<Result>(name: string, write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, "alert_channels_name")) throw error;
    throw new Problem("conflict", `There is already a channel named ${name}.`, {
      errors: [{ path: "name", message: "Another channel has this name" }],
    });
  }
}

/** Makes the handlers of alert channels. */
export function createChannelHandlers(
  parts: RecipientParts & {
    db: AnalyzerDatabase;
    clock: Clock;
    secrets: ChannelSecrets;
    sender: AlertSender;
    links: AddressLinks;
  },
): ChannelHandlers {
  const { db, clock, secrets, sender, links } = parts;

  async function show(organizationId: string, rows: ChannelRow[]): Promise<AlertChannel[]> {
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
        lastDelivery: newest ? lastOf(shownDelivery(newest)) : null,
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
      if (row.kind === "webhook") return { ...shared, kind: "webhook", url: row.url ?? "", secrets: secretsOf(row) };
      return { ...shared, kind: row.kind, host: row.host ?? "" };
    });
  }

  function secretsOf(row: ChannelRow) {
    const newest = { createdAt: row.secret_created_at!.toISOString(), validUntil: null };
    const { previous_secret_created_at: createdAt, previous_secret_until: until } = row;
    if (!createdAt || !until || until <= clock.now()) return [newest];
    return [newest, { createdAt: createdAt.toISOString(), validUntil: until.toISOString() }];
  }

  async function showOne(row: ChannelRow, answerHeaders: Headers, secret?: string): Promise<AlertChannel> {
    answerHeaders.set("etag", entityTag(row.version));
    const [channel] = await show(row.organization_id, [row]);
    return secret ? ({ ...channel, secret } as AlertChannel) : channel!;
  }

  /** @throws Problem where a member is nobody of the organization */
  async function requireMembers(organizationId: string, memberIds: string[]): Promise<void> {
    const found = new Set((await findMembers(parts, organizationId, memberIds)).map(({ id }) => id));
    const errors = memberIds.flatMap((id, at) =>
      found.has(id) ? [] : [{ path: `memberIds[${at}]`, message: "This member is not there any more" }],
    );
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  /** @throws Problem where Slack or Teams have no address, neither given nor stored */
  async function targetOf(
    place: Pick<ChannelRow, "organization_id" | "id">,
    input: AlertChannelInput,
    stored?: ChannelRow,
  ): Promise<Target> {
    const nothing: Target = { member_ids: [], addresses: [], url: null, sealed_url: null, host: null };
    if (input.kind === "mail") {
      const memberIds = [...new Set(input.memberIds)];
      if (memberIds.length > 0) await requireMembers(place.organization_id, memberIds);
      const addresses = distinctAddresses(input.addresses);
      if (memberIds.length + addresses.length === 0) throw invalid("memberIds", "Choose a member or give an address");
      return { ...nothing, member_ids: memberIds, addresses };
    }
    if (input.kind === "webhook") return { ...nothing, url: input.url };
    if (input.url) {
      return { ...nothing, sealed_url: secrets.seal(place, "url", input.url), host: new URL(input.url).host };
    }
    if (!stored) throw invalid("url", "Enter the address of the incoming webhook");
    return { ...nothing, sealed_url: stored.sealed_url, host: stored.host };
  }

  async function require({ organizationId }: Identity, channelId: string): Promise<ChannelRow> {
    const row = await findChannel(db, organizationId, channelId);
    if (!row) throw notFound("channel");
    return row;
  }

  return {
    async listChannels({ caller: { organizationId }, query: { cursor, ...query } }) {
      const afterName = cursor === undefined ? undefined : String(decodeCursor(cursor, 1)[0]);
      const rows = await listChannels(db, organizationId, { ...query, afterName });
      const page = pageFrom(
        rows,
        query.limit,
        ({ sort_name }) => [sort_name],
        (row) => row,
      );
      return { ...page, items: await show(organizationId, page.items) };
    },

    async createChannel({ caller: { organizationId }, body, record, answerHeaders }) {
      const now = clock.now();
      const place = { id: uuidv7(), organization_id: organizationId };
      const secret = body.kind === "webhook" ? createSigningSecret() : undefined;
      const row: ChannelRow = {
        ...place,
        ...(await targetOf(place, body)),
        name: body.name,
        kind: body.kind,
        enabled: body.enabled,
        sealed_secret: secret ? secrets.seal(place, "secret", secret) : null,
        secret_created_at: secret ? now : null,
        sealed_previous_secret: null,
        previous_secret_created_at: null,
        previous_secret_until: null,
        version: 1,
        created_at: now,
        updated_at: now,
      };
      const stored = db.transaction().execute(async (transaction) => {
        await insertChannel(transaction, row);
        await links.mailMissing(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
      });
      await requireFreeName(body.name, stored);
      return await showOne(row, answerHeaders, secret);
    },

    async getChannel({ caller, params, answerHeaders }) {
      return await showOne(await require(caller, params.channelId), answerHeaders);
    },

    async changeChannel({ caller, params, body, request, record, answerHeaders }) {
      const stored = await require(caller, params.channelId);
      if (stored.kind !== body.kind) throw invalid("kind", "A channel keeps its kind: create another one");
      const place = { id: stored.id, organization_id: stored.organization_id };
      const changes = { ...(await targetOf(place, body, stored)), name: body.name, enabled: body.enabled };
      // What is kept of the address belongs to the version it was read from.
      const versions = versionsOf(request.headers.get("if-match")) ?? [stored.version];
      const changed = db.transaction().execute(async (transaction) => {
        const row = await updateChannel(transaction, { ...place, ...changes, updated_at: clock.now() }, versions);
        if (!row) throw stale();
        await forgetAddresses(transaction, row.organization_id);
        await links.mailMissing(transaction, row);
        await record(transaction, { id: row.id, before: audited(stored), after: audited(row) });
        return row;
      });
      return await showOne(await requireFreeName(body.name, changed), answerHeaders);
    },

    async deleteChannel({ caller, params, request, record }) {
      const { id } = await require(caller, params.channelId);
      await db.transaction().execute(async (transaction) => {
        const versions = versionsOf(request.headers.get("if-match"));
        const removed = await removeChannel(transaction, caller.organizationId, id, versions);
        if (!removed) throw stale();
        await forgetAddresses(transaction, caller.organizationId);
        await record(transaction, { id, before: audited(removed) });
      });
      return undefined;
    },

    async rotateChannelSecret({ caller, params, body, record, answerHeaders }) {
      const stored = await require(caller, params.channelId);
      if (stored.kind !== "webhook") throw new Problem("conflict", "Only webhooks have a signing secret.");
      const now = clock.now();
      const secret = createSigningSecret();
      const isKept = body.previousHours > 0;
      const rotated = {
        id: stored.id,
        organization_id: stored.organization_id,
        sealed_secret: secrets.seal(stored, "secret", secret),
        secret_created_at: now,
        sealed_previous_secret: isKept ? stored.sealed_secret : null,
        previous_secret_created_at: isKept ? stored.secret_created_at : null,
        previous_secret_until: isKept ? new Date(now.getTime() + body.previousHours * hour) : null,
        updated_at: now,
      };
      const row = await db.transaction().execute(async (transaction) => {
        const changed = await updateChannel(transaction, rotated, [stored.version]);
        if (!changed)
          throw new Problem("conflict", "Somebody else changed this channel at the same moment. Try again.");
        await record(transaction, {
          id: stored.id,
          before: audited(stored),
          after: { ...audited(changed), replaced: true },
        });
        return changed;
      });
      return await showOne(row, answerHeaders, secret);
    },

    async testChannel({ caller, params }) {
      const channel = await require(caller, params.channelId);
      const now = clock.now();
      const title = `Test of the channel ${channel.name}`;
      const message = { kind: "test" as const, title, at: now.toISOString(), severity: null, incidents: [], more: 0 };
      const unsent = { state: "waiting" as const, not_before: null, tries: 0, status: null, detail: null };
      const sent = await sender.sendNow(
        {
          ...{ id: uuidv7(), organization_id: channel.organization_id, channel_id: channel.id },
          ...{ kind: "test", title, message, incident_ids: [], ...unsent },
          ...{ created_at: now, tried_at: null, delivered_at: null },
        },
        channel,
      );
      return shownDelivery(sent);
    },
  };
}

function lastOf({ kind, state, status, detail, createdAt }: ReturnType<typeof shownDelivery>) {
  return { kind, state, status, detail, createdAt };
}
