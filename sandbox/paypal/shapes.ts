import { z } from "zod";

/** The input that the sandbox acts on: the rest of PayPal's shapes passes through unread. */

export const money = z.object({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/),
});
export type Money = z.infer<typeof money>;

const frequency = z.object({
  interval_unit: z.enum(["DAY", "WEEK", "MONTH", "YEAR"]),
  interval_count: z.number().int().min(1).max(365).default(1),
});
export type Frequency = z.infer<typeof frequency>;

const pricingScheme = z.object({ version: z.number().int().default(1), fixed_price: money });

export const billingCycle = z.object({
  frequency,
  tenure_type: z.enum(["REGULAR", "TRIAL"]),
  sequence: z.number().int().min(1).max(99),
  total_cycles: z.number().int().min(0).max(999).default(1),
  pricing_scheme: pricingScheme.optional(),
});
export type BillingCycle = z.infer<typeof billingCycle>;

export const productInput = z.object({
  id: z.string().min(6).max(50).optional(),
  name: z.string().min(1).max(127),
  type: z.enum(["PHYSICAL", "DIGITAL", "SERVICE"]),
  description: z.string().min(1).max(256).optional(),
});
export const product = productInput.required({ id: true }).extend({ create_time: z.string(), update_time: z.string() });
export type Product = z.infer<typeof product>;

export const planInput = z.object({
  product_id: z.string().min(6).max(50),
  name: z.string().min(1).max(127),
  description: z.string().min(1).max(127).optional(),
  status: z.enum(["CREATED", "INACTIVE", "ACTIVE"]).default("ACTIVE"),
  billing_cycles: z.array(billingCycle).min(1).max(12),
  payment_preferences: z.object({
    auto_bill_outstanding: z.boolean().default(true),
    payment_failure_threshold: z.number().int().min(0).max(999).default(0),
  }),
});
export const plan = planInput.extend({ id: z.string(), create_time: z.string(), update_time: z.string() });
export type Plan = z.infer<typeof plan>;

export const pricingInput = z.object({
  pricing_schemes: z
    .array(z.object({ billing_cycle_sequence: z.number().int(), pricing_scheme: z.object({ fixed_price: money }) }))
    .min(1)
    .max(99),
});

const applicationContext = z.object({
  brand_name: z.string().min(1).max(127).optional(),
  user_action: z.enum(["CONTINUE", "SUBSCRIBE_NOW"]).default("SUBSCRIBE_NOW"),
  return_url: z.url().min(10).max(4_000),
  cancel_url: z.url().min(10).max(4_000),
});

export const subscriptionInput = z.object({
  plan_id: z.string().min(3).max(50),
  custom_id: z
    .string()
    .min(1)
    .max(127)
    .regex(/^[\x20-\x7E]+$/)
    .optional(),
  application_context: applicationContext,
});

export const revisionInput = z.object({
  plan_id: z.string().min(3).max(50),
  application_context: applicationContext,
});

export const reasonInput = z.object({ reason: z.string().min(1).max(128) });
export const reasonIfAny = z.object({ reason: z.string().min(1).max(128).optional() });

const approvalOf = z.object({
  ba_token: z.string(),
  token: z.string(),
  return_url: z.string(),
  cancel_url: z.string(),
  brand_name: z.string().optional(),
});
export type Approval = z.infer<typeof approvalOf>;

/** A subscription with PayPal's private data: its buyer's bank, and the pending approval. */
export const subscription = z.object({
  id: z.string(),
  plan_id: z.string(),
  custom_id: z.string().optional(),
  status: z.enum(["APPROVAL_PENDING", "APPROVED", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"]),
  status_change_note: z.string().optional(),
  status_update_time: z.string(),
  create_time: z.string(),
  update_time: z.string(),
  start_time: z.string(),
  user_action: z.enum(["CONTINUE", "SUBSCRIBE_NOW"]),
  approval: approvalOf.nullable(),
  revision: approvalOf.extend({ plan_id: z.string() }).nullable(),
  /** Its plan's cycles at the prices of its start: a new price is for new subscribers. */
  billing_cycles: z.array(billingCycle),
  /** Billed cycles, by their sequence. */
  completed: z.record(z.string(), z.number().int()),
  next_billing_time: z.string().nullable(),
  outstanding: money,
  failed_payments_count: z.number().int(),
  last_payment: z.object({ amount: money, time: z.string() }).nullable(),
  last_failed_payment: z.object({ amount: money, time: z.string() }).nullable(),
  /** Chosen on the approval page: whether the buyer's bank pays. */
  declines: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

export const transaction = z.object({
  id: z.string(),
  subscription_id: z.string(),
  status: z.enum(["COMPLETED", "DECLINED", "REFUNDED", "PARTIALLY_REFUNDED"]),
  amount: money,
  time: z.string(),
});
export type Transaction = z.infer<typeof transaction>;

export const webhookEvent = z.object({
  id: z.string(),
  create_time: z.string(),
  event_type: z.string(),
  resource_type: z.string(),
  summary: z.string(),
  resource: z.record(z.string(), z.unknown()),
  /** Delivery attempts, and when the next one is due; null when delivered or abandoned. */
  tries: z.number().int(),
  due: z.string().nullable(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;
