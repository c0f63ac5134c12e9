import { createHash, randomBytes } from "node:crypto";
import { Problem } from "#contracts/kit/problem.ts";
import { addressConfirmationPath } from "#contracts/test-analyzer/alert-addresses.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import { addressKey } from "../domain/alert/addresses.ts";
import { createConfirmAddressEmail } from "../emails/confirm-address.ts";
import { type AddressRow, countMailedLinks, findAddresses, insertLinks } from "../store/alert-addresses.ts";
import type { ChannelRow } from "../store/alert-channels.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";

const day = 24 * 60 * 60 * 1_000;
const linkMilliseconds = 7 * day;
/** Per organization, so that a stranger can't be flooded with mail through a channel. */
const linksADay = 40;

/** A plain hash is enough for a random token. */
export function hashLinkToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Sends links that confirm an address for alerts. */
export function createAddressLinks({
  mail,
  clock,
  portalOrigin,
}: {
  mail: Mail;
  clock: Clock;
  portalOrigin(): string;
}) {
  async function send(transaction: AnalyzerTransaction, organizationId: string, addresses: string[]): Promise<Date> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + linkMilliseconds);
    if (addresses.length === 0) return expiresAt;
    const mailed = await countMailedLinks(transaction, organizationId, new Date(now.getTime() - day));
    if (mailed + addresses.length > linksADay) {
      throw new Problem("too_many_requests", "Too many confirmation emails today. Continue tomorrow.", {
        retryAfterSeconds: day / 1_000,
      });
    }
    const links = addresses.map((address) => ({ address, token: randomBytes(32).toString("base64url") }));
    await insertLinks(
      transaction,
      links.map(
        ({ address, token }): AddressRow => ({
          organization_id: organizationId,
          address_key: addressKey(address),
          address,
          token_hash: hashLinkToken(token),
          link_expires_at: expiresAt,
          mailed_at: now,
          confirmed_at: null,
        }),
      ),
    );
    await mail.send(
      transaction,
      organizationId,
      links.map(({ address, token }) =>
        createConfirmAddressEmail(address, `${portalOrigin()}${addressConfirmationPath}?token=${token}`),
      ),
    );
    return expiresAt;
  }

  return {
    send,
    /** To addresses of a channel that have never been sent a link. */
    async mailMissing(transaction: AnalyzerTransaction, { organization_id, addresses }: ChannelRow): Promise<void> {
      const keys = addresses.map(addressKey);
      const known = new Set((await findAddresses(transaction, organization_id, keys)).map((row) => row.address_key));
      await send(
        transaction,
        organization_id,
        addresses.filter((address) => !known.has(addressKey(address))),
      );
    },
  };
}

export type AddressLinks = ReturnType<typeof createAddressLinks>;
