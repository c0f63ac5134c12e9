import { Problem } from "#contracts/kit/problem.ts";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { templateValueNames } from "#contracts/test-analyzer/template-values.ts";
import { checkTemplate } from "#libraries/template/body-template.ts";
import { distinctAddresses } from "../domain/alert/addresses.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import { findMembers, type RecipientParts } from "../jobs/recipients.ts";
import type { ChannelRow } from "../store/alert-channels.ts";

/** The columns of a channel's target; each kind uses only its own. */
type Target = Pick<ChannelRow, "member_ids" | "addresses" | "url" | "sealed_url" | "host" | "sealed_key" | "settings">;

type ChannelLocation = Pick<ChannelRow, "organization_id" | "id">;

const noKey = { sealed_key: null, settings: {} };
const missingKeys = { botToken: "Enter the token of the bot", routingKey: "Enter the integration key" };

const isSameOrigin = (stored: ChannelRow, url: string) =>
  stored.url !== null && new URL(stored.url).origin === new URL(url).origin;

export const invalid = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

/** Reads a channel's target from the input and, for missing parts, from the stored row. */
export function createReadTarget(parts: RecipientParts & { secrets: ChannelSecrets }) {
  const { secrets } = parts;

  /** @throws Problem when a member does not belong to the organization */
  async function requireMembers(organizationId: string, memberIds: string[]): Promise<void> {
    const found = new Set((await findMembers(parts, organizationId, memberIds)).map(({ id }) => id));
    const errors = memberIds.flatMap((id, at) =>
      found.has(id) ? [] : [{ path: `memberIds[${at}]`, message: "This member no longer exists" }],
    );
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  /**
   * The given key, else the stored one, which belongs to its origin.
   * @throws Problem when there is neither
   */
  function requireKey(
    location: ChannelLocation,
    { url, field, key }: { url: string; field: "botToken" | "routingKey"; key: string | undefined },
    stored: ChannelRow | undefined,
  ): string {
    if (key) return secrets.seal(location, "key", key);
    if (!stored?.sealed_key) throw invalid(field, missingKeys[field]);
    if (!isSameOrigin(stored, url)) throw invalid(field, "Enter it again, because the address has changed");
    return stored.sealed_key;
  }

  /** @throws Problem when the template can't be sent, or stored headers would be sent to another origin */
  function getWebhookSettings(
    location: ChannelLocation,
    { url, template, headers }: Extract<AlertChannelInput, { kind: "webhook" }>,
    stored: ChannelRow | undefined,
  ): Pick<Target, "sealed_key" | "settings"> {
    const error = template && checkTemplate(template, templateValueNames);
    if (error) throw invalid("template.body", error);
    const settings = template ? { template } : {};
    if (headers && headers.length > 0) {
      const headerNames = headers.map(({ name }) => name);
      return {
        sealed_key: secrets.seal(location, "key", JSON.stringify(headers)),
        settings: { ...settings, headerNames },
      };
    }
    const { headerNames = [] } = stored?.settings ?? {};
    if (headers || !stored?.sealed_key || headerNames.length === 0) return { sealed_key: null, settings };
    if (!isSameOrigin(stored, url)) throw invalid("headers", "Enter them again, because the address has changed");
    return { sealed_key: stored.sealed_key, settings: { ...settings, headerNames } };
  }

  /** @throws Problem when a chat has no address, neither given nor stored */
  return async function getTarget(
    location: ChannelLocation,
    input: AlertChannelInput,
    stored?: ChannelRow,
  ): Promise<Target> {
    const nothing: Target = { member_ids: [], addresses: [], url: null, sealed_url: null, host: null, ...noKey };
    if (input.kind === "mail") {
      const memberIds = [...new Set(input.memberIds)];
      if (memberIds.length > 0) await requireMembers(location.organization_id, memberIds);
      const addresses = distinctAddresses(input.addresses);
      if (memberIds.length + addresses.length === 0) throw invalid("memberIds", "Choose a member or enter an address");
      return { ...nothing, member_ids: memberIds, addresses };
    }
    if (input.kind === "webhook") return { ...nothing, url: input.url, ...getWebhookSettings(location, input, stored) };
    if (input.kind === "telegram") {
      const sealed_key = requireKey(location, { ...input, field: "botToken", key: input.botToken }, stored);
      return { ...nothing, url: input.url, sealed_key, settings: { chatId: input.chatId } };
    }
    if (input.kind === "pagerDuty") {
      const sealed_key = requireKey(location, { ...input, field: "routingKey", key: input.routingKey }, stored);
      return { ...nothing, url: input.url, sealed_key };
    }
    if (input.url) {
      return { ...nothing, sealed_url: secrets.seal(location, "url", input.url), host: new URL(input.url).host };
    }
    if (!stored) throw invalid("url", "Enter the incoming webhook URL");
    return { ...nothing, sealed_url: stored.sealed_url, host: stored.host };
  };
}
