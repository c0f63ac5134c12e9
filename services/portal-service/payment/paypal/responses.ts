import { z } from "zod";

/** The fields read from PayPal's responses; others are ignored, so that PayPal may add fields. */

const money = z.object({ currency_code: z.string(), value: z.string() });
const link = z.object({ href: z.string(), rel: z.string() });
const moment = z.iso.datetime({ offset: true });

export const accessToken = z.object({ access_token: z.string().min(1), expires_in: z.number() });
export const made = z.object({ id: z.string().min(3) });

export const subscription = z.object({
  id: z.string(),
  status: z.enum(["APPROVAL_PENDING", "APPROVED", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"]),
  status_update_time: moment.optional(),
  plan_id: z.string(),
  custom_id: z.string().optional(),
  billing_info: z
    .object({
      outstanding_balance: money.optional(),
      failed_payments_count: z.number().int().default(0),
      last_payment: z.object({ amount: money, time: moment }).optional(),
      next_billing_time: moment.optional(),
    })
    .optional(),
  links: z.array(link).default([]),
});

export const revision = z.object({ links: z.array(link).default([]) });

export const transactions = z.object({
  transactions: z
    .array(
      z.object({
        id: z.string(),
        status: z.enum(["COMPLETED", "DECLINED", "PARTIALLY_REFUNDED", "PENDING", "REFUNDED"]),
        amount_with_breakdown: z.object({ gross_amount: money }),
        time: moment,
      }),
    )
    .default([]),
  total_pages: z.number().int().optional(),
});

export const verification = z.object({ verification_status: z.enum(["SUCCESS", "FAILURE"]) });

export const listedEvents = z.object({
  events: z
    .array(
      z.looseObject({
        event_type: z.string(),
        resource: z.looseObject({ id: z.string().optional(), billing_agreement_id: z.string().optional() }).optional(),
      }),
    )
    .default([]),
});

/** Of its errors: `{ name, message, debug_id, details: [{ issue }] }`. */
export const refusal = z.object({
  name: z.string().optional(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).default([]),
});
