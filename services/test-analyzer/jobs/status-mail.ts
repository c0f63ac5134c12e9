import { createHash, randomBytes } from "node:crypto";
import {
  oneClickPath,
  subscriptionConfirmationPath,
  subscriptionEndPath,
} from "#contracts/test-analyzer/status-subscribers.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { Update } from "../domain/status-update.ts";
import { createSubscribedAlreadyEmail, createSubscriptionEmail, createUpdatesEmail } from "../emails/status-updates.ts";
import type { StatusPageRow } from "../store/status-pages.ts";
import { listSubscribers, type SubscriberRow } from "../store/status-subscribers.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";

/** A plain hash is enough for a random token. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

const toContext = ({ organization_id, id }: Pick<SubscriberRow, "organization_id" | "id">) => ({
  organizationId: organization_id,
  record: `status_subscribers/${id}`,
});

export type StatusMail = ReturnType<typeof createStatusMail>;

/** Emails to subscribers of status pages, each with the links of its own token. */
export function createStatusMail({ mail, vault, portalOrigin }: { mail: Mail; vault: Vault; portalOrigin(): string }) {
  const openToken = (row: SubscriberRow) => vault.open(row.sealed_token, toContext(row));
  const endHref = (token: string) => `${portalOrigin()}${subscriptionEndPath}?token=${token}`;

  return {
    canSend: mail.canSend,

    createToken(row: Pick<SubscriberRow, "organization_id" | "id">) {
      const token = randomBytes(32).toString("base64url");
      return { token_hash: hashToken(token), sealed_token: vault.seal(token, toContext(row)) };
    },

    /** A link that confirms; to a confirmed address, that it receives updates already. */
    async sendLink(transaction: AnalyzerTransaction, page: StatusPageRow, row: SubscriberRow): Promise<void> {
      const token = openToken(row);
      const href = `${portalOrigin()}${subscriptionConfirmationPath}?token=${token}`;
      const email = row.confirmed_at
        ? createSubscribedAlreadyEmail(row.address, { pageTitle: page.title, endHref: endHref(token) })
        : createSubscriptionEmail(row.address, { pageTitle: page.title, href });
      await mail.send(transaction, page.organization_id, [email]);
    },

    /** To every confirmed subscriber, in the transaction that decides. */
    async sendUpdates(
      transaction: AnalyzerTransaction,
      page: StatusPageRow,
      updates: readonly Update[],
    ): Promise<void> {
      if (!mail.canSend || updates.length === 0) return;
      const pageHref = `${portalOrigin()}/status/${page.address}`;
      const emails = (await listSubscribers(transaction, page)).map((row) => {
        const token = openToken(row);
        const oneClickHref = `${portalOrigin()}/api/test-analyzer${oneClickPath}?token=${token}`;
        const links = { pageHref, endHref: endHref(token), oneClickHref };
        return createUpdatesEmail(row.address, { pageTitle: page.title, updates, ...links });
      });
      await mail.send(transaction, page.organization_id, emails);
    },
  };
}
