import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Queue } from "../../kit/queue/queue.ts";
import {
  type BillingNews,
  endedNews,
  getNews,
  type ReportedSubscription,
  toBlocks,
  trialEndNews,
} from "../domain/billing-email.ts";
import { planNames } from "../store/plans.ts";
import { type SubscriptionRow, toPlanned } from "../store/subscriptions.ts";
import type { PortalDatabase, PortalTransaction } from "../store/tables.ts";

export const billingEmailQueue = "portal-service-billing-letters";

const waiting = z.object({
  organizationId: z.string(),
  subscriptionId: z.string(),
  news: z.object({ subject: z.string(), paragraphs: z.array(z.string()) }),
});

const toReported = (row: SubscriptionRow): ReportedSubscription => {
  const { current, next } = toPlanned(row);
  return {
    serviceId: current.serviceId,
    price: current.price,
    state: row.state,
    stateChangedAt: row.state_changed_at,
    paidUntil: row.paid_until,
    trialEndsAt: row.trial_ends_at,
    next,
    heldBecause: row.held_because,
  };
};

export interface BillingEmailParts {
  db: PortalDatabase;
  queue: Queue;
  mail: Mail;
  /** Whether this installation can send mail. */
  canSend: boolean;
  work: boolean;
  log: Pick<Logger, "warn">;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  portalOrigin(): string;
}

export type BillingEmails = Awaited<ReturnType<typeof createBillingEmails>>;

/**
 * Emails billing managers when a subscription changes. The email is a job in the transaction of the change, so each
 * change is sent once, however often and in whichever order the provider reports it; recipients are determined when
 * the job runs.
 */
export async function createBillingEmails(parts: BillingEmailParts) {
  const { db, queue, mail, securityService, serviceToken, portalOrigin } = parts;
  await queue.declare(billingEmailQueue, { attempts: 11, retryDelaySeconds: 5 });

  async function listManagers(organizationId: string): Promise<{ address: string; name: string }[]> {
    const service = securityService({ token: await serviceToken(organizationId) });
    const found: { address: string; name: string }[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { role: "ADMIN" as const, state: "enabled" as const, limit: 200, cursor };
      const page = requireValue(await service.listUsers({ query }), "administrators");
      for (const { email, fullName } of page.items) if (email) found.push({ address: email, name: fullName });
      if (page.nextCursor === null) return found;
      cursor = page.nextCursor;
    }
  }

  const work =
    parts.work && parts.canSend
      ? queue.work(billingEmailQueue, {
          concurrency: 1,
          async handle(payload) {
            const { organizationId, subscriptionId, news } = waiting.parse(payload);
            const managers = await listManagers(organizationId);
            const blocks = toBlocks(news, `${portalOrigin()}/subscriptions/${subscriptionId}`);
            const emails = managers.map((to) => ({ to, subject: news.subject, blocks }));
            await db.transaction().execute((transaction) => mail.send(transaction, organizationId, emails));
          },
        })
      : undefined;

  async function write(transaction: PortalTransaction, row: SubscriptionRow, news: BillingNews): Promise<void> {
    const payload: z.infer<typeof waiting> = { organizationId: row.organization_id, subscriptionId: row.id, news };
    await queue.send(transaction, billingEmailQueue, [{ id: uuidv7(), payload }]);
  }

  return {
    /**
     * For a plan that ended by date, in the transaction that detects it.
     * @param next the plan from then on
     */
    async emailEnded(transaction: PortalTransaction, row: SubscriptionRow, next: string | null): Promise<void> {
      if (!parts.canSend) return;
      const name = (await planNames(transaction)).get(row.service_id) ?? row.service_id;
      await write(transaction, row, endedNews(toReported(row), name, next));
    },

    /** For a trial about to end, in the transaction that stores the notification. */
    async emailTrialEnds(transaction: PortalTransaction, row: SubscriptionRow): Promise<void> {
      if (!parts.canSend || !row.trial_ends_at) return;
      const names = await planNames(transaction);
      const getName = (serviceId: string) => names.get(serviceId) ?? serviceId;
      const { current, next } = toPlanned(row);
      const { serviceId, price } = next ?? current;
      const news = trialEndNews(getName(current.serviceId), row.trial_ends_at, { plan: getName(serviceId), price });
      await write(transaction, row, news);
    },

    async emailChange(transaction: PortalTransaction, before: SubscriptionRow, after: SubscriptionRow): Promise<void> {
      if (!parts.canSend) return;
      const names = await planNames(transaction);
      const news = getNews(toReported(before), toReported(after), (serviceId) => names.get(serviceId) ?? serviceId);
      if (news) await write(transaction, after, news);
    },
    stop: async () => await work?.stop(),
  };
}
