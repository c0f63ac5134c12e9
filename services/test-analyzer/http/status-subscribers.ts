import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { maxSubscribers } from "#contracts/test-analyzer/status-subscribers.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Authenticate, IssueServiceToken } from "../../kit/identity/identity.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { readVisitorAddress } from "../../kit/service/visitor-address.ts";
import { addressKey } from "../domain/alert/addresses.ts";
import { hashToken, type StatusMail } from "../jobs/status-mail.ts";
import { findPageByAddress, findStatusPage, type StatusPageRow } from "../store/status-pages.ts";
import {
  countMailedLinks,
  countSubscribers,
  deleteSubscriber,
  findSubscriber,
  findSubscriberOfLink,
  insertSubscriber,
  listSubscribers,
  type SubscriberRow,
  updateSubscriber,
} from "../store/status-subscribers.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { requireCircle } from "./own-circle.ts";

type SubscriberHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  | "subscribeToStatus"
  | "readSubscriptionLink"
  | "confirmSubscription"
  | "unsubscribeFromStatus"
  | "listStatusSubscribers"
  | "removeStatusSubscriber"
>;

const minute = 60_000;
const day = 24 * 60 * minute;
const linkMilliseconds = 7 * day;
/** Between two emails to one address, so that a stranger can't be flooded. */
const betweenLinksMilliseconds = 10 * minute;
/** Of one page. */
const linksADay = 200;

/** Creates the handlers for subscribers of status pages. */
export function createStatusSubscriberHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  authenticate: Authenticate;
  securityService: Connect<typeof securityServiceContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
  statusMail: StatusMail;
}): SubscriberHandlers {
  const { db, clock, statusMail } = parts;

  /** @throws Problem if the human check failed, or too many forms came from the visitor's network */
  async function admit(request: Request, requestId: string, recaptchaToken: string | undefined): Promise<void> {
    const client = parts.securityService({ token: await parts.serviceToken(noOrganization), requestId });
    const clientAddress = await readVisitorAddress(request, parts.authenticate);
    const admission = await client.admitVisitor({ body: { purpose: "statusUpdates", clientAddress, recaptchaToken } });
    if (admission.ok) return;
    const { status, problem, retryAfterSeconds } = admission;
    if (status !== 422 && status !== 429) throw new Problem("service_unavailable");
    throw new Problem(problem.code, problem.detail, { errors: problem.errors, retryAfterSeconds });
  }

  async function requireLink(token: string): Promise<{ row: SubscriberRow; page: StatusPageRow }> {
    const row = await findSubscriberOfLink(db, hashToken(token));
    const isValid = row && (row.confirmed_at !== null || row.link_expires_at > clock.now());
    const page = isValid && (await findStatusPage(db, row.organization_id, row.page_circle_id));
    if (!page) throw new Problem("not_found", "This link has ended, or the page was closed.");
    return { row, page };
  }

  const toLink = (page: StatusPageRow, { address, confirmed_at }: SubscriberRow) => ({
    ...{ email: address, pageTitle: page.title, pageAddress: page.address },
    confirmedAt: confirmed_at?.toISOString() ?? null,
  });

  return {
    async subscribeToStatus({ params, body: { email, recaptchaToken }, request, requestId }) {
      const page = await findPageByAddress(db, params.address);
      if (!page) throw notFound("status page");
      await admit(request, requestId, recaptchaToken);
      const now = clock.now();
      const mailed = await countMailedLinks(db, page, new Date(now.getTime() - day));
      if (mailed >= linksADay) {
        throw new Problem(
          "too_many_requests",
          "Too many addresses subscribed to this page today. Try again tomorrow.",
          {
            retryAfterSeconds: day / 1_000,
          },
        );
      }
      await db.transaction().execute(async (transaction) => {
        const known = await findSubscriber(transaction, page, addressKey(email));
        // Silently: the response says nothing about an address.
        if (known && now.getTime() - known.mailed_at.getTime() < betweenLinksMilliseconds) return;
        if (known?.confirmed_at) {
          await updateSubscriber(transaction, known, { mailed_at: now });
          return await statusMail.sendLink(transaction, page, known);
        }
        const key = { id: uuidv7(), organization_id: page.organization_id };
        const row: SubscriberRow = {
          ...{ ...key, page_circle_id: page.test_circle_id, address_key: addressKey(email), address: email },
          ...statusMail.createToken(key),
          ...{ link_expires_at: new Date(now.getTime() + linkMilliseconds), mailed_at: now },
          ...{ confirmed_at: null, created_at: now },
        };
        await insertSubscriber(transaction, row);
        await statusMail.sendLink(transaction, page, row);
      });
      return { email };
    },

    async readSubscriptionLink({ body }) {
      const { page, row } = await requireLink(body.token);
      return toLink(page, row);
    },

    async confirmSubscription({ body }) {
      const { page, row } = await requireLink(body.token);
      if (row.confirmed_at) return toLink(page, row);
      if ((await countSubscribers(db, page)) >= maxSubscribers) {
        throw new Problem("conflict", "This page has as many subscribers as one may have.");
      }
      const confirmed_at = clock.now();
      await updateSubscriber(db, row, { confirmed_at });
      return toLink(page, { ...row, confirmed_at });
    },

    async unsubscribeFromStatus({ query }) {
      const row = await findSubscriberOfLink(db, hashToken(query.token));
      if (!row) return undefined;
      const page = { organization_id: row.organization_id, test_circle_id: row.page_circle_id };
      await deleteSubscriber(db, page, row.id);
      return undefined;
    },

    async listStatusSubscribers({ caller, params, query: { limit, cursor }, requestId }) {
      if (!(await findStatusPage(db, caller.organizationId, params.testCircleId))) {
        await requireCircle(parts.testRegistry, caller, params.testCircleId, requestId);
      }
      const page = { organization_id: caller.organizationId, test_circle_id: params.testCircleId };
      const rows = await listSubscribers(db, page, { before: cursor && readIdCursor(cursor), limit });
      const listed = pageFrom(
        rows,
        limit,
        ({ id }) => [id],
        ({ id, address, confirmed_at }) => ({ id, email: address, confirmedAt: confirmed_at!.toISOString() }),
      );
      return { ...listed, total: await countSubscribers(db, page) };
    },

    async removeStatusSubscriber({ caller, params: { testCircleId, subscriberId }, record }) {
      const page = { organization_id: caller.organizationId, test_circle_id: testCircleId };
      await db.transaction().execute(async (transaction) => {
        if (!(await deleteSubscriber(transaction, page, subscriberId))) throw notFound("subscriber");
        // Without the address, which its holder may want forgotten.
        await record(transaction, { id: subscriberId, before: { testCircleId } });
      });
      return undefined;
    },
  };
}
