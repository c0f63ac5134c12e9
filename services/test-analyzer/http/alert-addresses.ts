import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { User } from "#contracts/security-service/users.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { addressKey } from "../domain/alert/addresses.ts";
import { findMembers } from "../jobs/recipients.ts";
import { type AddressRow, confirmAddress, findAddresses, findAddressOfLink } from "../store/alert-addresses.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { type AddressLinks, hashLinkToken } from "./address-links.ts";
import { requireFromService } from "./service-result.ts";

type AddressHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "listRecipients" | "sendAddressLink" | "readAddressLink" | "confirmAddress"
>;

const minutesBetweenLinks = 10;

function toRecipient({ id, username, fullName, disabled, email }: User) {
  const unreachable = disabled ? ("disabled" as const) : email === "" ? ("no_address" as const) : null;
  return { id, username, fullName, unreachable };
}

/** Creates the handlers for addresses of mail channels. */
export function createAddressHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  links: AddressLinks;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}): AddressHandlers {
  const { db, clock, links } = parts;

  async function serviceFor(organizationId: string, requestId: string) {
    return parts.securityService({ token: await parts.serviceToken(organizationId), requestId });
  }

  async function requireLink(token: string): Promise<AddressRow> {
    const row = await findAddressOfLink(db, hashLinkToken(token));
    if (row && row.link_expires_at > clock.now()) return row;
    throw new Problem("not_found", "This link has expired, or the address no longer belongs to a channel.");
  }

  async function toAlertAddress(row: AddressRow, requestId: string) {
    const params = { organizationId: row.organization_id };
    const result = await (await serviceFor(row.organization_id, requestId)).getOrganization({ params });
    const { name } = requireValue(result, "the organization");
    return {
      address: row.address,
      organizationName: name,
      confirmedAt: row.confirmed_at?.toISOString() ?? null,
    };
  }

  return {
    async listRecipients({ caller, query: { ids, ...query }, requestId }) {
      if (ids) {
        const members = await findMembers(parts, caller.organizationId, ids);
        return { items: members.map(toRecipient), nextCursor: null };
      }
      const service = await serviceFor(caller.organizationId, requestId);
      const page = requireFromService(await service.listUsers({ query }));
      return { ...page, items: page.items.filter(({ disabled }) => !disabled).map(toRecipient) };
    },

    async sendAddressLink({ caller: { organizationId }, body: { address } }) {
      const [known] = await findAddresses(db, organizationId, [addressKey(address)]);
      if (!known) throw notFound("address");
      if (known.confirmed_at) throw new Problem("conflict", "This address is confirmed already.");
      const next = known.mailed_at.getTime() + minutesBetweenLinks * 60_000;
      const milliseconds = next - clock.now().getTime();
      if (milliseconds > 0) {
        throw new Problem("too_many_requests", "A link was just sent to this address. Check its inbox first.", {
          retryAfterSeconds: Math.ceil(milliseconds / 1_000),
        });
      }
      const expiresAt = await db
        .transaction()
        .execute((transaction) => links.send(transaction, organizationId, [known.address]));
      return { address: known.address, expiresAt: expiresAt.toISOString() };
    },

    async readAddressLink({ body, requestId }) {
      return await toAlertAddress(await requireLink(body.token), requestId);
    },

    async confirmAddress({ body, requestId, record }) {
      const row = await requireLink(body.token);
      const now = clock.now();
      const confirmedAt = row.confirmed_at ?? now;
      await db.transaction().execute(async (transaction) => {
        const { organization_id: organizationId, address } = row;
        const isNew = await confirmAddress(transaction, row, now);
        await record(transaction, ...(isNew ? [{ id: address, organizationId, after: { address, confirmedAt } }] : []));
      });
      return await toAlertAddress({ ...row, confirmed_at: confirmedAt }, requestId);
    },
  };
}
