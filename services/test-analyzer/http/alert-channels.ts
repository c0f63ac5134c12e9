import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { readIdempotencyKey, takeKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { versionsOf } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { distinctAddresses } from "../domain/alert/addresses.ts";
import { createSigningSecret } from "../domain/alert/signature.ts";
import { tellTest } from "../domain/alert/titles.ts";
import type { AlertSender } from "../jobs/alert-sender.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import { findMembers, type RecipientParts } from "../jobs/recipients.ts";
import { forgetAddresses } from "../store/alert-addresses.ts";
import {
  type ChannelRow,
  findChannel,
  insertChannel,
  listChannels,
  removeChannel,
  updateChannel,
} from "../store/alert-channels.ts";
import { type AnalyzerDatabase, keyTable } from "../store/tables.ts";
import type { AddressLinks } from "./address-links.ts";
import { shownDelivery } from "./alert-deliveries.ts";
import { createShowChannel, showChannels } from "./shown-channels.ts";

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

  const showOne = createShowChannel(parts);

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
      return { ...page, items: await showChannels(parts, organizationId, page.items) };
    },

    async createChannel({ caller, body, request, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
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
        const first = key && (await takeKey(transaction, keyTable, { ...key, organizationId, makes: row.id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        await insertChannel(transaction, row);
        await links.mailMissing(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
        return undefined;
      });
      const earlier = await requireFreeName(body.name, stored);
      if (!earlier) return await showOne(row, answerHeaders, secret);
      const made = await findChannel(db, organizationId, earlier);
      if (!made) throw new Problem("conflict", "The channel that was made with this Idempotency-Key was deleted.");
      return await showOne(made, answerHeaders, secrets.signingSecretsOf(made, now)[0]);
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

    async rotateChannelSecret({ caller, params, body, request, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
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
        const makes = stored.id;
        const isRepeated = key && (await takeKey(transaction, keyTable, { ...key, organizationId, makes, now }));
        if (isRepeated) {
          await record(transaction);
          return undefined;
        }
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
      if (row) return await showOne(row, answerHeaders, secret);
      const changed = await require(caller, stored.id);
      return await showOne(changed, answerHeaders, secrets.signingSecretsOf(changed, now)[0]);
    },

    async testChannel({ caller, params }) {
      const channel = await require(caller, params.channelId);
      const now = clock.now();
      const message = tellTest(channel.name, now);
      const unsent = { state: "waiting" as const, not_before: null, tries: 0, status: null, detail: null };
      const sent = await sender.sendNow(
        {
          ...{ id: uuidv7(), organization_id: channel.organization_id, channel_id: channel.id },
          ...{ kind: message.kind, title: message.title, message, incident_ids: [], ...unsent },
          ...{ created_at: now, tried_at: null, delivered_at: null },
        },
        channel,
      );
      return shownDelivery(sent);
    },
  };
}
