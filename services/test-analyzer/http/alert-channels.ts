import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { createSigningSecret } from "../domain/alert/signature.ts";
import { createTestMessage } from "../domain/alert/titles.ts";
import type { AlertSender } from "../jobs/alert-sender.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import type { RecipientParts } from "../jobs/recipients.ts";
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
import { toDelivery } from "./alert-deliveries.ts";
import { audited } from "./channel-audit.ts";
import { createRotateChannelSecret } from "./channel-secret-rotation.ts";
import { createReadTarget, invalid } from "./channel-targets.ts";
import { createShowChannel, showChannels } from "./show-channels.ts";

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

function stale(): Problem {
  return new Problem("stale_version", "Someone else changed this channel in the meantime. View again.");
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

/** Creates the handlers for alert channels. */
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
  const getTarget = createReadTarget(parts);

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
      const location = { id: uuidv7(), organization_id: organizationId };
      const secret = body.kind === "webhook" ? createSigningSecret() : undefined;
      const row: ChannelRow = {
        ...location,
        ...(await getTarget(location, body)),
        name: body.name,
        kind: body.kind,
        enabled: body.enabled,
        sealed_secret: secret ? secrets.seal(location, "secret", secret) : null,
        secret_created_at: secret ? now : null,
        sealed_previous_secret: null,
        previous_secret_created_at: null,
        previous_secret_until: null,
        version: 1,
        created_at: now,
        updated_at: now,
      };
      const stored = db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: row.id, now }));
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
      if (!made) throw new Problem("conflict", "The channel created with this Idempotency-Key was deleted.");
      return await showOne(made, answerHeaders, secrets.getSigningSecrets(made, now)[0]);
    },

    async getChannel({ caller, params, answerHeaders }) {
      return await showOne(await require(caller, params.channelId), answerHeaders);
    },

    async changeChannel({ caller, params, body, request, record, answerHeaders }) {
      const stored = await require(caller, params.channelId);
      if (stored.kind !== body.kind) throw invalid("kind", "A channel keeps its kind: create another one");
      const location = { id: stored.id, organization_id: stored.organization_id };
      const changes = { ...(await getTarget(location, body, stored)), name: body.name, enabled: body.enabled };
      // The sealed address belongs to the version that it was read from.
      const versions = parseIfMatch(request.headers.get("if-match")) ?? [stored.version];
      const changed = db.transaction().execute(async (transaction) => {
        const row = await updateChannel(transaction, { ...location, ...changes, updated_at: clock.now() }, versions);
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
        const versions = parseIfMatch(request.headers.get("if-match"));
        const removed = await removeChannel(transaction, caller.organizationId, id, versions);
        if (!removed) throw stale();
        await forgetAddresses(transaction, caller.organizationId);
        await record(transaction, { id, before: audited(removed) });
      });
      return undefined;
    },

    rotateChannelSecret: createRotateChannelSecret(parts, require),

    async testChannel({ caller, params }) {
      const channel = await require(caller, params.channelId);
      const now = clock.now();
      const message = createTestMessage(channel.name, now);
      const unsent = { state: "waiting" as const, not_before: null, tries: 0, status: null, detail: null };
      const sent = await sender.sendNow(
        {
          ...{ id: uuidv7(), organization_id: channel.organization_id, channel_id: channel.id },
          ...{ kind: message.kind, title: message.title, message, incident_ids: [], ...unsent },
          ...{ created_at: now, tried_at: null, delivered_at: null },
        },
        channel,
      );
      return toDelivery(sent);
    },
  };
}
