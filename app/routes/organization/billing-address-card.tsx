import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

export interface BillingAddressCardProps {
  /** As on an envelope; undefined while there is none. */
  lines: readonly string[] | undefined;
  vatId: string | undefined;
}

/** Displayed here and changed in billing: there is one address. */
export function BillingAddressCard({ lines, vatId }: BillingAddressCardProps) {
  return (
    <Card
      title="Billing address"
      actions={
        <LinkButton href={href("/billing/address")}>{lines ? "Change the address" : "Enter the address"}</LinkButton>
      }
    >
      {lines ? (
        <address>
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
          {vatId && <div>VAT number {vatId}</div>}
        </address>
      ) : (
        <p>None yet. It is printed on invoices.</p>
      )}
    </Card>
  );
}
