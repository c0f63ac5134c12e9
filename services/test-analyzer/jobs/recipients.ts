import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { User } from "#contracts/security-service/users.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { addressKey } from "../domain/alert/addresses.ts";
import type { Recipient } from "../emails/alert.ts";
import { findAddresses } from "../store/alert-addresses.ts";
import type { ChannelRow } from "../store/alert-channels.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

export interface RecipientParts {
  db: AnalyzerDatabase;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** Members of the organization with these ids. */
export async function findMembers(
  { securityService, serviceToken }: Omit<RecipientParts, "db">,
  organizationId: string,
  memberIds: string[],
): Promise<User[]> {
  const service = securityService({ token: await serviceToken(organizationId) });
  const wanted = new Set(memberIds);
  const found: User[] = [];
  for (let cursor: string | undefined; found.length < wanted.size; ) {
    const page = requireValue(await service.listUsers({ query: { limit: 200, cursor } }), "members");
    found.push(...page.items.filter(({ id }) => wanted.has(id)));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return found;
}

/** Current recipients of a mail channel: members who may sign in, and confirmed addresses. */
export async function findRecipients(
  parts: RecipientParts,
  { organization_id, member_ids, addresses }: ChannelRow,
): Promise<Recipient[]> {
  const members = await findMembers(parts, organization_id, member_ids);
  const keys = addresses.map(addressKey);
  const confirmed = await findAddresses(parts.db, organization_id, keys);
  const reached = [
    ...confirmed.filter(({ confirmed_at }) => confirmed_at !== null).map(({ address }) => ({ address })),
    // Last, since a member has more details than an address that was added as well.
    ...members
      .filter(({ disabled, email }) => !disabled && email !== "")
      .map(({ email, timeZone }) => ({ address: email, timeZone: timeZone ?? undefined })),
  ];
  return [...new Map(reached.map((recipient) => [addressKey(recipient.address), recipient])).values()];
}
