import { Problem } from "#contracts/kit/problem.ts";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { distinctAddresses } from "../domain/alert/addresses.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import { findMembers, type RecipientParts } from "../jobs/recipients.ts";
import type { ChannelRow } from "../store/alert-channels.ts";

/** The columns of a channel's target; each kind uses only its own. */
type Target = Pick<ChannelRow, "member_ids" | "addresses" | "url" | "sealed_url" | "host">;

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

  /** @throws Problem when a chat has no address, neither given nor stored */
  return async function getTarget(
    location: Pick<ChannelRow, "organization_id" | "id">,
    input: AlertChannelInput,
    stored?: ChannelRow,
  ): Promise<Target> {
    const nothing: Target = { member_ids: [], addresses: [], url: null, sealed_url: null, host: null };
    if (input.kind === "mail") {
      const memberIds = [...new Set(input.memberIds)];
      if (memberIds.length > 0) await requireMembers(location.organization_id, memberIds);
      const addresses = distinctAddresses(input.addresses);
      if (memberIds.length + addresses.length === 0) throw invalid("memberIds", "Choose a member or enter an address");
      return { ...nothing, member_ids: memberIds, addresses };
    }
    if (input.kind === "webhook") return { ...nothing, url: input.url };
    if (input.url) {
      return { ...nothing, sealed_url: secrets.seal(location, "url", input.url), host: new URL(input.url).host };
    }
    if (!stored) throw invalid("url", "Enter the incoming webhook URL");
    return { ...nothing, sealed_url: stored.sealed_url, host: stored.host };
  };
}
