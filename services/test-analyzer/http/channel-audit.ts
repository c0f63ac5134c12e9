import type { ChannelRow } from "../store/alert-channels.ts";

/** Who is told, and where; never an address that is a secret. */
export function audited({ name, kind, enabled, member_ids, addresses, url, host, version }: ChannelRow) {
  return { name, kind, enabled, memberIds: member_ids, addresses, url, host, version };
}
