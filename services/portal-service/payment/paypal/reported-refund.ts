import { z } from "zod";
import { parseMoney } from "../../domain/money.ts";
import type { ReportedRefund } from "../provider.ts";

const shape = z.object({
  event_type: z.enum(["PAYMENT.SALE.REFUNDED", "PAYMENT.SALE.REVERSED"]),
  create_time: z.iso.datetime({ offset: true }).optional(),
  resource: z.object({
    id: z.string().min(1).max(100),
    sale_id: z.string().min(1).max(100).optional(),
    amount: z.object({ total: z.string().max(32), currency: z.string().length(3) }),
    create_time: z.iso.datetime({ offset: true }).optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  }),
});

/** A reversal has its payment in a link: `…/v1/payments/sale/{id}`. */
const saleIn = (links: { rel: string; href: string }[]) =>
  links.find(({ rel }) => rel === "sale")?.href.match(/\/sale\/([A-Z\d]+)$/)?.[1];

/** The refund and its payment in an event that PayPal signed or listed; undefined for any other event. */
export function readReportedRefund(event: unknown, now: Date): ReportedRefund | undefined {
  const { data } = shape.safeParse(event);
  if (!data) return undefined;
  const { id, sale_id, amount, create_time, links } = data.resource;
  try {
    // Some events have a negative amount.
    const { minorUnits, currency } = parseMoney(amount.total.replace(/^-/, ""), amount.currency);
    if (minorUnits === 0) return undefined;
    return {
      id,
      paymentId: sale_id ?? saleIn(links) ?? id,
      kind: data.event_type === "PAYMENT.SALE.REVERSED" ? "REVERSAL" : "REFUND",
      amount: { minorUnits, currency },
      at: new Date(create_time ?? data.create_time ?? now),
    };
  } catch {
    return undefined;
  }
}
