import type { AlertChannelCode } from "#contracts/code/alerting.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { alertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { templateValueNames } from "#contracts/test-analyzer/template-values.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { checkTemplate } from "#libraries/template/body-template.ts";
import type {
  Change,
  ChangeContext,
  CodeContext,
  Fail,
  Resolved,
  ServedKind,
  StoredObject,
} from "../../../kit/code/code-kind.ts";
import { secretNameOf } from "../../../kit/code/keys.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { isUniqueViolation } from "../../../kit/database/database.ts";
import { distinctAddresses } from "../../domain/alert/addresses.ts";
import { createSigningSecret } from "../../domain/alert/signature.ts";
import type { ChannelSecrets } from "../../jobs/channel-secrets.ts";
import { forgetAddresses } from "../../store/alert-addresses.ts";
import {
  type ChannelRow,
  findChannels,
  insertChannel,
  removeChannel,
  updateChannel,
} from "../../store/alert-channels.ts";
import type { AnalyzerDatabase, AnalyzerTables } from "../../store/tables.ts";
import type { AddressLinks } from "../address-links.ts";
import type { createReadMembers, KnownMembers } from "./members.ts";
import { readHeaderCode, readStoredHeaders, toHeaderCode, type WebhookCode } from "./webhook-headers.ts";

type Target = Pick<ChannelRow, "member_ids" | "addresses" | "url" | "sealed_url" | "host" | "sealed_key" | "settings">;

const nothing: Target = {
  ...{ member_ids: [], addresses: [], url: null, sealed_url: null, host: null, sealed_key: null, settings: {} },
};
/** In place of a secret that a check was not sent. */
const unsent = "https://example.com/";
const [, webhook, , , , , telegram, pagerDuty] = alertChannelInput.options;
const address = webhook.shape.url;
const keys = { botToken: telegram.shape.botToken, routingKey: pagerDuty.shape.routingKey };
/** Of both forms. */
const unsentKeys = { botToken: "00000:00000000000000000000", routingKey: "00000000" };

/** Alert channels of files. */
export function createAlertChannelKind(parts: {
  db: AnalyzerDatabase;
  secrets: ChannelSecrets;
  links: AddressLinks;
  readMembers: ReturnType<typeof createReadMembers>;
}): ServedKind<Target, AnalyzerTables> {
  const { db, secrets, links, readMembers } = parts;

  function readMail(value: AlertChannelCode & { kind: "mail" }, known: KnownMembers, fail: Fail): Target {
    const members = [...new Set(value.members)];
    const member_ids = members.flatMap((username, index) => {
      const id = known.idOf(username);
      if (!id) fail(`members[${index}]`, `There is no member ${username}`);
      return id ?? [];
    });
    const addresses = distinctAddresses(value.addresses);
    if (members.length + addresses.length === 0) fail("members", "Choose a member or enter an address");
    return { ...nothing, member_ids, addresses };
  }

  function readChat(
    secretName: string,
    { change, stored }: { change: Change; stored: ChannelRow | undefined },
    context: ChangeContext,
    fail: Fail,
  ): Target {
    const { id } = change;
    const given = context.secrets[secretName];
    if (given === undefined && stored) return { ...nothing, sealed_url: stored.sealed_url, host: stored.host };
    if (given === undefined) {
      context.missingSecrets.add(secretName);
      if (!context.isCheck) fail("url", `Send the value of the secret ${secretName}`);
    }
    const checked = address.safeParse(given ?? unsent);
    for (const { message } of checked.error?.issues ?? []) fail("url", message);
    const url = checked.data ?? unsent;
    const sealed_url = secrets.seal({ id, organization_id: context.organizationId }, "url", url);
    return { ...nothing, sealed_url, host: new URL(url).host };
  }

  /** Of Telegram and PagerDuty. A stored key belongs to the origin that it was given for. */
  function readKey(
    { url, field, secretName }: { url: string; field: keyof typeof keys; secretName: string },
    { change, stored }: { change: Change; stored: ChannelRow | undefined },
    context: ChangeContext,
    fail: Fail,
  ): Target {
    const given = context.secrets[secretName];
    const isSameOrigin = stored?.url && new URL(stored.url).origin === new URL(url).origin;
    if (given === undefined && stored?.sealed_key && isSameOrigin)
      return { ...nothing, url, sealed_key: stored.sealed_key };
    if (given === undefined) {
      context.missingSecrets.add(secretName);
      if (!context.isCheck) fail(field, `Send the value of the secret ${secretName}`);
    }
    const checked = keys[field].safeParse(given ?? unsentKeys[field]);
    for (const { message } of checked.error?.issues ?? []) fail(field, message);
    const location = { id: change.id, organization_id: context.organizationId };
    return { ...nothing, url, sealed_key: secrets.seal(location, "key", checked.data ?? unsentKeys[field]) };
  }

  /** Stored headers belong to the origin that they were given for. */
  function readWebhook(
    { url, template, headers: given }: WebhookCode,
    { change, stored }: { change: Change; stored: ChannelRow | undefined },
    context: ChangeContext,
    fail: Fail,
  ): Pick<Resolved<Target>, "input" | "secretNames"> {
    const error = template && checkTemplate(template, templateValueNames);
    if (error) fail("template.body", error);
    const isSameOrigin = stored?.url && new URL(stored.url).origin === new URL(url).origin;
    const known = stored && isSameOrigin ? readStoredHeaders(secrets.getKey(stored)) : [];
    const { headers, secretNames } = readHeaderCode(given, known, context, fail);
    const location = { id: change.id, organization_id: context.organizationId };
    const input: Target = {
      ...{ ...nothing, url },
      sealed_key: headers.length > 0 ? secrets.seal(location, "key", JSON.stringify(headers)) : null,
      settings: {
        ...(template ? { template } : {}),
        ...(headers.length > 0 ? { headerNames: headers.map(({ name }) => name) } : {}),
      },
    };
    return { input, secretNames };
  }

  /** A channel as files have it, and the values of its secrets. */
  function toCode(
    row: ChannelRow,
    names: Record<string, string> = {},
    context: CodeContext,
    known: KnownMembers | undefined,
  ): Pick<StoredObject, "value" | "secrets"> {
    const { kind, name, enabled, url } = row;
    const { template, chatId } = row.settings;
    const key = context.references.keyOf("alertChannel", row.id) ?? "channel";
    const nameSecret = (word: string) => names.url ?? secretNameOf(key, word);
    const toObject = (value: Record<string, unknown>, own?: StoredObject["secrets"]) => ({
      value: { kind, name, enabled, ...value } as JsonRecord,
      ...(own ? { secrets: own } : {}),
    });
    if (kind === "mail") {
      const members = row.member_ids.flatMap((id) => known?.nameOf(id) ?? []);
      return toObject({ members, addresses: row.addresses });
    }
    if (kind === "webhook") {
      const headers = toHeaderCode(readStoredHeaders(secrets.getKey(row)), { key, names });
      return toObject({ url, template, headers: headers.code }, headers.secrets);
    }
    if (kind === "telegram" || kind === "pagerDuty") {
      const secret = nameSecret("key");
      const own = kind === "telegram" ? { chatId, botToken: { secret } } : { routingKey: { secret } };
      return toObject({ url, ...own }, { [secret]: secrets.getKey(row) });
    }
    const secret = nameSecret("url");
    return toObject({ url: { secret } }, { [secret]: secrets.addressOf(row) });
  }

  return {
    kind: "alertChannel",
    ...{ table: "alert_channels", idColumn: "id", keyText: "name" },

    async list(executor, query, context, secretNames) {
      const rows = await readObjects<ChannelRow>(executor, this, query, context);
      const known = rows.some(({ member_ids }) => member_ids.length > 0) ? await readMembers(context) : undefined;
      return rows.map((row) => ({
        ...{ id: row.id, name: row.name },
        ...toCode(row, secretNames.get(row.id), context, known),
      }));
    },

    async resolve(changes, context, fail) {
      const ids = changes.map(({ id }) => id);
      const stored = new Map((await findChannels(db, context.organizationId, ids)).map((row) => [row.id, row]));
      const known = changes.some(({ value }) => value.kind === "mail") ? await readMembers(context) : undefined;
      return changes.map((change) => {
        const value = change.value as unknown as AlertChannelCode;
        const report = fail(change);
        const before = stored.get(change.id);
        if (before && before.kind !== value.kind)
          report("kind", "A channel keeps its kind: give the new one another key");
        if (value.kind === "mail") return { change, input: readMail(value, known!, report) };
        if (value.kind === "webhook")
          return { change, ...readWebhook(value, { change, stored: before }, context, report) };
        if (value.kind === "telegram" || value.kind === "pagerDuty") {
          const field = value.kind === "telegram" ? "botToken" : "routingKey";
          const secretName = value.kind === "telegram" ? value.botToken.secret : value.routingKey.secret;
          const key = readKey({ url: value.url, field, secretName }, { change, stored: before }, context, report);
          const settings = value.kind === "telegram" ? { chatId: value.chatId } : {};
          return { change, input: { ...key, settings }, secretNames: { url: secretName } };
        }
        const input = readChat(value.url.secret, { change, stored: before }, context, report);
        return { change, input, secretNames: { url: value.url.secret } };
      });
    },

    async write(transaction, items, { organizationId, now }) {
      for (const { change, input } of items) {
        const { name, enabled, kind } = change.value as unknown as AlertChannelCode;
        const location = { id: change.id, organization_id: organizationId };
        const columns = { ...location, ...input, name, enabled, updated_at: now };
        const secret = kind === "webhook" ? secrets.seal(location, "secret", createSigningSecret()) : null;
        const added = {
          ...{ kind, sealed_secret: secret, secret_created_at: secret ? now : null, sealed_previous_secret: null },
          ...{ previous_secret_created_at: null, previous_secret_until: null, version: 1, created_at: now },
        };
        try {
          if (change.action === "create") {
            await insertChannel(transaction, { ...columns, ...added });
            await links.mailMissing(transaction, { ...columns, ...added });
            continue;
          }
          const row = await updateChannel(transaction, columns, undefined);
          if (!row) throw new Problem("stale_version", `The channel ${change.key} has been deleted.`);
          await forgetAddresses(transaction, organizationId);
          await links.mailMissing(transaction, row);
        } catch (error) {
          if (!isUniqueViolation(error, "alert_channels_name")) throw error;
          const errors = [{ path: `objects[${change.index}].value.name`, message: "Another channel has this name" }];
          throw new Problem("invalid_input", `There is already a channel named ${name}.`, { errors });
        }
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const id of ids) await removeChannel(transaction, organizationId, id, undefined);
      await forgetAddresses(transaction, organizationId);
      return [];
    },
  };
}
