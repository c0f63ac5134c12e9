import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint, moment } from "../kit/endpoint.ts";
import { planLimits } from "../kit/plan.ts";
import { wholeNumber } from "../kit/whole-number.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";
import { amount } from "./subscriptions.ts";

/** Currencies that PayPal supports, with their ISO 4217 number of decimals. */
export const planCurrencies = [
  ...["AUD", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "ILS", "JPY", "MXN"],
  ...["NOK", "NZD", "PHP", "PLN", "SEK", "SGD", "THB", "USD"],
] as const;

const text = (max: number, missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(max, `At most ${max} characters`)
    .regex(/^[^\p{C}]*$/u, "In one line");

export const limitsInput = z.object({
  apis: wholeNumber("APIs", 1, 1_000_000).nullable(),
  tests: wholeNumber("tests", 1, 100_000_000).nullable(),
  executionsPerMonth: wholeNumber("executions", 1, 1_000_000_000).nullable(),
  shortestIntervalSeconds: wholeNumber("seconds", 30, 604_800),
  members: wholeNumber("members", 1, 1_000_000).nullable(),
  retentionDays: wholeNumber("days", 1, 3_650),
});

export const planContent = z
  .object({
    name: text(60, "Enter a name").openapi({ example: "Studio" }),
    description: text(127, "Enter a description").openapi({ example: "For a studio with many clients." }),
    limits: limitsInput.describe("Null means unlimited."),
  })
  .openapi("PlanContent");

export const priceAmount = z
  .string({ error: "Enter an amount" })
  .trim()
  .regex(/^\d{1,7}(\.\d{1,2})?$/, "Enter an amount, e.g. 49 or 49.50")
  .refine((decimal) => Number(decimal) > 0, "More than nothing: the free plan is there already")
  .describe("Per month, as a decimal.")
  .openapi({ example: "59.00" });

export const trialDays = wholeNumber("free days", 0, 365)
  .default(0)
  .describe("Free days before the first payment, for organizations that have never subscribed; 0 for none.")
  .openapi({ example: 14 });

const offeredPrice = z.object({
  price: amount,
  trialDays: z.number().int().describe("Free days at the start; 0 for none."),
  offeredAt: moment.nullable().describe("When it became the price for new subscribers; null: from the beginning."),
  isOffered: z.boolean().describe("Whether it is the price for new subscribers."),
  subscribers: z.number().int().describe("Number of subscribers at this price, including those whose payments fail."),
  providerId: z
    .string()
    .nullable()
    .describe(
      "The provider's plan for this price; null until it is created, at the latest with the first subscription.",
    )
    .openapi({ example: "P-5ML4271244454362WXNWU5NQ" }),
});

export const operatedPlan = z
  .object({
    serviceId: z.string().openapi({ example: "team" }),
    name: z.string().openapi({ example: "Team" }),
    description: z.string().openapi({ example: "For a team that depends on its APIs every day." }),
    price: amount.describe("Per month, for new subscribers."),
    trialDays: z.number().int().describe("Free days at the start, for organizations that have never subscribed."),
    isFree: z
      .boolean()
      .describe("The default plan of organizations without a subscription; it has no price and can't be retired."),
    limits: planLimits,
    retiredAt: moment
      .nullable()
      .describe("When it was closed to new subscribers; null while it is offered.")
      .openapi({ example: null }),
    subscribers: z.number().int().describe("Number of subscribers, at any of its prices."),
    prices: z.array(offeredPrice).describe("Current and former prices, newest first."),
  })
  .openapi("OperatedPlan");
export type OperatedPlan = z.infer<typeof operatedPlan>;

const access = "system:manage" as const;
const audit = "plan";
const path = "/api/v1/system/plans/{serviceId}";
const params = z.object({ serviceId: z.string().max(100).openapi({ example: "team" }) });

export const listOperatedPlans = endpoint({
  method: "get",
  path: "/api/v1/system/plans",
  access,
  tag,
  summary: "Every plan with its prices, the cheapest first",
  description: "Includes retired plans.",
  status: 200,
  response: completeListSchema(operatedPlan),
});

export const getOperatedPlan = endpoint({
  method: "get",
  path,
  access,
  tag,
  summary: "One plan with its prices",
  description: "Includes prices that only earlier subscribers pay.",
  params,
  status: 200,
  response: operatedPlan,
});

export const createPlan = endpoint({
  method: "post",
  path: "/api/v1/system/plans",
  access,
  timeoutSeconds: 60,
  audit,
  tag,
  summary: "Creates a plan and offers it",
  description:
    "Its id is derived from its name. The provider's plan is created immediately, or with the first subscription.",
  body: planContent.extend({ price: z.object({ amount: priceAmount, currency: z.enum(planCurrencies), trialDays }) }),
  status: 201,
  response: operatedPlan,
  locationPath: "/api/v1/system/plans/{serviceId}",
});

export const changePlan = endpoint({
  method: "put",
  path,
  access,
  audit,
  tag,
  summary: "Changes a plan's name, description and limits",
  description:
    "Takes effect immediately for every subscriber. Resources that exceed a smaller limit are not deleted, as after a change to a smaller plan.",
  params,
  body: planContent,
  status: 200,
  response: operatedPlan,
});

export const offerPlanPrice = endpoint({
  method: "post",
  path: `${path}/prices`,
  access,
  timeoutSeconds: 60,
  audit,
  tag,
  summary: "Sets a plan's price for new subscribers",
  description:
    "Earlier subscribers keep their price as long as they keep the plan. The currency can't change. The same price with a different trial also counts as new.",
  params,
  body: z.object({ amount: priceAmount, trialDays }),
  status: 200,
  response: operatedPlan,
  problems: { conflict: "It is the free plan." },
});

export const retirePlan = endpoint({
  method: "post",
  path: `${path}/retire`,
  access,
  audit,
  tag,
  summary: "Retires a plan",
  description: "Current subscribers keep it; new subscriptions and changes to it are refused.",
  params,
  status: 200,
  response: operatedPlan,
  problems: { conflict: "It is the free plan." },
});

export const offerPlan = endpoint({
  method: "post",
  path: `${path}/offer`,
  access,
  audit,
  tag,
  summary: "Offers a retired plan again",
  description: "At its last price.",
  params,
  status: 200,
  response: operatedPlan,
});
