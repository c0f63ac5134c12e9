import type { AlertChannelCode } from "#contracts/code/alerting.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { alertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Change, ChangeContext, CodeContext, Fail, ServedKind } from "../../../kit/code/code-kind.ts";
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

type Target = Pick<ChannelRow, "member_ids" | "addresses" | "url" | "sealed_url" | "host">;

const nothing: Target = { member_ids: [], addresses: [], url: null, sealed_url: null, host: null };
/** In place of a secret that a check was not sent. */
const unsent = "https://example.com/";
const address = alertChannelInput.options[1].shape.url;

function toValue(row: ChannelRow, secretName: string, known: KnownMembers | undefined): JsonRecord {
  const { kind, name, enabled } = row;
  if (kind === "webhook") return { kind, name, enabled, url: row.url };
  if (kind !== "mail") return { kind, name, enabled, url: { secret: secretName } };
  const members = row.member_ids.flatMap((id) => known?.nameOf(id) ?? []);
  return { kind, name, enabled, members, addresses: row.addresses };
}

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
    if (members.length + addresses.length === 0) fail("members", "Choose a member or give an address");
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

  function describe(row: ChannelRow, names: Record<string, string> | undefined, { references }: CodeContext) {
    const secretName = names?.url ?? secretNameOf(references.keyOf("alertChannel", row.id) ?? "channel", "url");
    const isChat = row.kind !== "mail" && row.kind !== "webhook";
    return { secretName, secrets: isChat ? { [secretName]: secrets.addressOf(row) } : undefined };
  }

  return {
    kind: "alertChannel",
    ...{ table: "alert_channels", idColumn: "id", keyText: "name" },

    async list(executor, query, context, secretNames) {
      const rows = await readObjects<ChannelRow>(executor, this, query, context);
      const known = rows.some(({ member_ids }) => member_ids.length > 0) ? await readMembers(context) : undefined;
      return rows.map((row) => {
        const { secretName, secrets } = describe(row, secretNames.get(row.id), context);
        return { id: row.id, name: row.name, value: toValue(row, secretName, known), ...(secrets ? { secrets } : {}) };
      });
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
        if (value.kind === "webhook") return { change, input: { ...nothing, url: value.url } };
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
          if (!row) throw new Problem("stale_version", `The channel ${change.key} was deleted meanwhile.`);
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
