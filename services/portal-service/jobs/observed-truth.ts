import type { Clock } from "../../kit/clock/clock.ts";
import { json } from "../../kit/database/database.ts";
import { type Difference, differencesBetween, type Known } from "../domain/difference.ts";
import { noteResult } from "../store/deliveries.ts";
import { listSubscriptionPayments } from "../store/payments.ts";
import type { SubscriptionRow } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { Cause } from "./cause.ts";
import type { ProviderTruth } from "./provider-truth.ts";

export type ObservedTruth = ReturnType<typeof observeTruth>;

/** How many of a subscription's newest payments are compared. */
const comparedPayments = 100;

/** The same, and also stores the changes of each response with its subscription and its cause. */
export function observeTruth(truth: ProviderTruth, { db, clock }: { db: PortalDatabase; clock: Clock }) {
  async function getKnown(row: SubscriptionRow): Promise<Known> {
    const payments = await listSubscriptionPayments(db, row, { limit: comparedPayments });
    return {
      state: row.state,
      serviceId: row.service_id,
      price: { minorUnits: row.price_minor, currency: row.price_currency },
      nextBillingAt: row.next_billing_at,
      paidUntil: row.paid_until,
      failedPayments: row.failed_payments,
      payments: payments.map((payment) => ({
        id: payment.id,
        state: payment.state,
        amount: { minorUnits: payment.amount_minor, currency: payment.currency },
      })),
    };
  }

  async function storeResult(row: SubscriptionRow, askedAt: Date, differences: Difference[]): Promise<SubscriptionRow> {
    await noteResult(db, { subscriptionId: row.id, askedAt, at: clock.now(), differences });
    return await db
      .updateTable("subscriptions")
      .set({ answered_at: clock.now(), answer_differences: json(differences) })
      .where("organization_id", "=", row.organization_id)
      .where("id", "=", row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  return {
    ...truth,
    async ask(row: SubscriptionRow, cause: Cause): Promise<SubscriptionRow> {
      // An event since the last response may be a refund.
      const isHinted = row.hinted_at !== null && (row.answered_at === null || row.hinted_at > row.answered_at);
      const before = await getKnown(row);
      const askedAt = clock.now();
      const answered = await truth.ask(row, { withPayments: isHinted, ...cause });
      return await storeResult(answered, askedAt, differencesBetween(before, await getKnown(answered)));
    },
  };
}
