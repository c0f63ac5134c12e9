import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { moneyWords } from "~/features/plans/plan-words";
import { isInvoiced, paymentStates } from "~/features/subscriptions/payment-table";
import { useDayWords } from "~/features/time-zone/day-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import * as styles from "./invoice.css";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `Invoice ${data.payment.id}` : "Invoice"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const [payment, organization, { address }] = await Promise.all([
    portalService.getPayment({ params: { paymentId: String(params.paymentId) } }).then(required),
    portalService.getCurrentOrganization().then(required),
    portalService.getBillingAddress().then(required),
  ]);
  if (!isInvoiced(payment.state)) throw new Response("Uncollected payments have no invoice.", { status: 404 });
  return {
    payment,
    address,
    buyer: address?.lines ?? [organization.name],
    seller: ["API Assurance", new URL(context.publicOrigin).host, context.contactAddress],
  };
}

/** Laid out for paper; a browser prints it, including to PDF. */
export default function Invoice() {
  const { payment, address, buyer, seller } = useLoaderData<typeof loader>();
  const day = useDayWords();
  const { id, amount, serviceName, paidAt, coversUntil, state, refunded } = payment;
  return (
    <Page>
      <div className={styles.onScreen}>
        <Stack gap="huge">
          <PageHeading
            title={`Invoice ${id}`}
            breadcrumbs={[{ label: "Billing", href: href("/billing") }, { label: "Invoice" }]}
            description="Print it or save it as a PDF with your browser (Ctrl+P or ⌘P)."
          />
          {!address && (
            <Notice
              title="This invoice has no billing address yet"
              actions={<LinkButton href={href("/billing/address")}>Enter the billing address</LinkButton>}
            >
              It appears on all invoices, including those of earlier payments.
            </Notice>
          )}
        </Stack>
      </div>
      <article className={styles.sheet} aria-labelledby="invoice">
        <h2 id="invoice">Invoice</h2>
        <div className={styles.parties}>
          <Party title="From" lines={seller} />
          <Party title="To" lines={[...buyer, ...(address?.vatId ? [`VAT number ${address.vatId}`] : [])]} />
          <DefinitionList
            items={[
              { term: "Number", value: id },
              { term: "Date", value: day(paidAt) },
              {
                term: "State",
                value: <Badge tone={paymentStates[state].tone}>{paymentStates[state].name}</Badge>,
              },
            ]}
          />
        </div>
        <Table
          caption="What was paid for"
          captionHidden
          rows={[payment]}
          rowKey={({ id }) => id}
          columns={[
            { key: "what", header: "For", cell: () => `API Assurance, plan ${serviceName}`, rowHeader: true },
            { key: "period", header: "Period", cell: () => `${day(paidAt)} – ${day(coversUntil)}` },
            { key: "amount", header: "Amount", cell: () => moneyWords(amount), numeric: true },
          ]}
        />
        <p className={styles.total}>Total {moneyWords(amount)}</p>
        {refunded && refunded.minorUnits > 0 && <p className={styles.total}>Refunded {moneyWords(refunded)}</p>}
        <p>{endWords(state, refunded !== null)}</p>
      </article>
    </Page>
  );
}

function endWords(state: keyof typeof paymentStates, isKnown: boolean): string {
  if (state === "REVERSED") return "Paid through PayPal, then reversed by the buyer's bank or by PayPal.";
  if (state === "REFUNDED") return "Paid through PayPal and refunded in full.";
  if (state === "PARTIALLY_REFUNDED")
    return isKnown
      ? "Paid through PayPal and partly refunded."
      : "Paid through PayPal and partly refunded. Your PayPal account shows the amount.";
  return "Paid in full through PayPal.";
}

function Party({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div className={styles.party}>
      <p className={styles.role}>{title}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
