import type { OperatedPlan } from "#contracts/portal-service/operated-plans.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

/** `$49.00`, or that the plan is free. */
export const planPrice = ({ isFree, price }: Pick<OperatedPlan, "isFree" | "price">): string =>
  isFree ? "Free" : moneyWords(price);

/** Whether new subscribers can choose it. */
export function PlanState({ retiredAt }: Pick<OperatedPlan, "retiredAt">) {
  return retiredAt ? <Badge tone="neutral">Retired</Badge> : <Badge tone="success">Offered</Badge>;
}

/** Plans, each linked to its page. */
export function PlanTable({ plans }: { plans: readonly OperatedPlan[] }) {
  return (
    <Table
      caption="Plans, the cheapest first"
      captionHidden
      rows={plans}
      rowKey={({ serviceId }) => serviceId}
      columns={[
        {
          key: "name",
          header: "Plan",
          rowHeader: true,
          cell: ({ serviceId, name }) => (
            <a href={href("/administration/system/plans/:serviceId", { serviceId })}>{name}</a>
          ),
        },
        { key: "state", header: "State", selfEvident: true, beside: true, cell: PlanState },
        { key: "price", header: "A month", cell: planPrice, numeric: true },
        {
          key: "subscribers",
          header: "Subscribers",
          cell: ({ isFree, subscribers }) => (isFree ? "Needs no subscription" : formatCount(subscribers)),
          numeric: true,
        },
      ]}
    />
  );
}

type Price = OperatedPlan["prices"][number];

/** Offered to former subscribers, next to the same price with a trial. */
const isWithoutTrial = ({ price, trialDays }: Price, prices: readonly Price[]): boolean =>
  trialDays === 0 && prices.some((one) => one.isOffered && one.price.minorUnits === price.minorUnits);

/** The prices of one plan: the current one, and those that only earlier subscribers pay. */
export function PriceTable({ prices }: Pick<OperatedPlan, "prices">) {
  return (
    <Table
      bare
      caption="Prices, the newest first"
      captionHidden
      rows={prices}
      rowKey={({ price, trialDays }) => `${price.minorUnits} ${price.currency} ${trialDays}`}
      columns={[
        { key: "price", header: "A month", rowHeader: true, cell: ({ price }) => moneyWords(price), numeric: true },
        {
          key: "state",
          header: "For",
          selfEvident: true,
          beside: true,
          cell: (one) =>
            one.isOffered ? (
              <Badge tone="success">New subscribers</Badge>
            ) : (
              <Badge tone="neutral">
                {isWithoutTrial(one, prices) ? "Returning subscribers" : "Earlier subscribers"}
              </Badge>
            ),
        },
        { key: "trial", header: "Trial", cell: ({ trialDays }) => (trialDays > 0 ? plural(trialDays, "day") : "None") },
        {
          key: "since",
          header: "Since",
          cell: ({ offeredAt }) => (offeredAt ? <Moment value={offeredAt} /> : "The beginning"),
        },
        {
          key: "subscribers",
          header: "Subscribers",
          cell: ({ subscribers }) => formatCount(subscribers),
          numeric: true,
        },
        {
          key: "provider",
          header: "Plan at PayPal",
          selfEvident: true,
          cell: ({ providerId }) => (providerId ? <code>{providerId}</code> : "Not created at PayPal yet"),
        },
      ]}
    />
  );
}
