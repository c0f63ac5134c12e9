import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReportedMonth } from "#contracts/portal-service/monthly-numbers.ts";
import { required } from "~/backend/responses";
import { moneyWords } from "~/features/plans/plan-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { BarPlot } from "~/ui/plot/bar-plot";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { monthChoices, monthsIn, monthWords } from "./months";

export const meta: MetaFunction = () => [{ title: "Monthly numbers · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const months = monthsIn(request);
  const { items } = required(await backend.portalService.listMonthlyNumbers({ query: { months } }));
  return { items, months, currencies: [...new Set(items.map(({ currency }) => currency))] };
}

export default function Monthly() {
  const { items, months, currencies } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Monthly numbers"
        description="Subscriptions and payments of all organizations. Months are in UTC; currencies are never added up."
        actions={
          items.length > 0 && (
            <LinkButton href={href("/administration/system/monthly.csv", { months: String(months) })} download>
              Download as CSV
            </LinkButton>
          )
        }
      />
      <FilterBar label="Months shown">
        <Select
          label="Months"
          labelHidden
          name="months"
          defaultValue={String(months)}
          options={monthChoices.map((choice) => ({ value: String(choice), label: `Last ${choice} months` }))}
        />
      </FilterBar>
      {items.length === 0 && (
        <EmptyState title="No sales yet">The first month appears after the first subscription is approved.</EmptyState>
      )}
      {currencies.map((currency) => (
        <OfCurrency key={currency} currency={currency} months={items.filter((one) => one.currency === currency)} />
      ))}
    </>
  );
}

function OfCurrency({ currency, months }: { currency: string; months: ReportedMonth[] }) {
  const money = (minorUnits: number) => moneyWords({ minorUnits, currency });
  return (
    <Card title={`In ${currency}`}>
      <Stack gap="huge">
        <BarPlot
          id={`paid-${currency}`}
          title={`Paid monthly, in ${currency}`}
          description="Collected amounts, refunds and net."
          series={[
            { name: "Kept", tone: "success" },
            { name: "Refunded", tone: "danger" },
          ]}
          barsAre="Month"
          bars={[...months].reverse().map(({ month, paid, refunded }) => ({
            key: month,
            label: monthWords(month),
            values: [Math.max(0, paid.minorUnits - refunded.minorUnits), refunded.minorUnits],
          }))}
          formatValue={money}
        />
        <Table
          bare
          caption={`Months in ${currency}, newest first`}
          captionHidden
          rows={months}
          rowKey={({ month }) => month}
          columns={[
            { key: "month", header: "Month", rowHeader: true, cell: ({ month }) => monthWords(month) },
            { key: "began", header: "New", numeric: true, cell: ({ began }) => formatCount(began) },
            { key: "ended", header: "Cancelled", numeric: true, cell: ({ ended }) => formatCount(ended) },
            {
              key: "active",
              header: "Active at the end",
              numeric: true,
              cell: ({ activeAtEnd }) => formatCount(activeAtEnd),
            },
            { key: "paid", header: "Paid", numeric: true, cell: ({ paid }) => moneyWords(paid) },
            { key: "refunded", header: "Refunded", numeric: true, cell: ({ refunded }) => moneyWords(refunded) },
          ]}
        />
      </Stack>
    </Card>
  );
}
