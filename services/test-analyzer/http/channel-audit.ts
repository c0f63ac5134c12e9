import type { ChannelRow } from "../store/alert-channels.ts";

/** Recipients and targets for the audit record, without secret addresses. */
export function audited({ name, kind, enabled, member_ids, addresses, url, host, settings, version }: ChannelRow) {
  return { name, kind, enabled, memberIds: member_ids, addresses, url, host, settings, version };
}
