import { z } from "@hono/zod-openapi";
import { endpoint, moment, wholeListOf } from "../kit/endpoint.ts";
import { planLimits } from "../kit/plan.ts";
import { wholeNumber } from "../kit/whole-number.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";
import { amount } from "./subscriptions.ts";

/** Those that PayPal collects anywhere, with as many digits as ISO 4217 says. */
export const planCurrencies = [
  ...["AUD", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "ILS", "JPY", "MXN"],
  ...["NOK", "NZD", "PHP", "PLN", "SEK", "SGD", "THB", "USD"],
] as const;

const text = (most: number, missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(most, `At most ${most} characters`)
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
    limits: limitsInput.describe("Null means without limit."),
  })
  .openapi("PlanContent");

export const priceAmount = z
  .string({ error: "Enter an amount" })
  .trim()
  .regex(/^\d{1,7}(\.\d{1,2})?$/, "Enter an amount, as in 49 or 49.50")
  .refine((decimal) => Number(decimal) > 0, "More than nothing: the free plan is there already")
  .describe("A month, as a decimal.")
  .openapi({ example: "59.00" });

export const trialDays = wholeNumber("free days", 0, 365)
  .default(0)
  .describe("Free days before the first payment, for organizations that never subscribed; 0 for none.")
  .openapi({ example: 14 });

const offeredPrice = z.object({
  price: amount,
  trialDays: z.number().int().describe("Free days that it begins with; 0 for none."),
  offeredAt: moment.nullable().describe("Since when new subscribers are asked for it; null: from the beginning."),
  isOffered: z.boolean().describe("New subscribers are asked for it."),
  subscribers: z.number().int().describe("How many pay it, those included whose payments fail."),
  providerId: z
    .string()
    .nullable()
    .describe("The provider's plan for it; null until it has made one, at the latest when somebody subscribes.")
    .openapi({ example: "P-5ML4271244454362WXNWU5NQ" }),
});

export const operatedPlan = z
  .object({
    serviceId: z.string().openapi({ example: "team" }),
    name: z.string().openapi({ example: "Team" }),
    description: z.string().openapi({ example: "For a team that depends on its APIs every day." }),
    price: amount.describe("A month, for whoever subscribes now."),
    trialDays: z.number().int().describe("Free days that it begins with, for organizations that never subscribed."),
    isFree: z.boolean().describe("It is everybody's who pays for none; it has no price and can't be retired."),
    limits: planLimits,
    retiredAt: moment
      .nullable()
      .describe("Since when nobody new can subscribe to it; null while it is offered.")
      .openapi({ example: null }),
    subscribers: z.number().int().describe("How many pay for it, at any of its prices."),
    prices: z.array(offeredPrice).describe("Those that it has and had, the newest first."),
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
  description: "Those that are not offered any more, too.",
  status: 200,
  answer: wholeListOf(operatedPlan),
});

export const getOperatedPlan = endpoint({
  method: "get",
  path,
  access,
  tag,
  summary: "One plan with its prices",
  description: "Those that only earlier subscribers pay, too.",
  params,
  status: 200,
  answer: operatedPlan,
});

export const createPlan = endpoint({
  method: "post",
  path: "/api/v1/system/plans",
  access,
  mayTakeSeconds: 60,
  audit,
  tag,
  summary: "Makes a plan and offers it",
  description: "Its id is made of its name. The provider makes its plan at once, or when somebody subscribes.",
  body: planContent.extend({ price: z.object({ amount: priceAmount, currency: z.enum(planCurrencies), trialDays }) }),
  status: 201,
  answer: operatedPlan,
  makes: "/api/v1/system/plans/{serviceId}",
});

export const changePlan = endpoint({
  method: "put",
  path,
  access,
  audit,
  tag,
  summary: "Changes what a plan is called and allows",
  description:
    "For everybody who has it, at once. What is beyond a smaller limit stays, as after a change to a smaller plan.",
  params,
  body: planContent,
  status: 200,
  answer: operatedPlan,
});

export const offerPlanPrice = endpoint({
  method: "post",
  path: `${path}/prices`,
  access,
  mayTakeSeconds: 60,
  audit,
  tag,
  summary: "Gives a plan a new price, for new subscribers",
  description:
    "Who subscribed before keeps their price, as long as they keep the plan. Its currency stays. The same price with another trial is a new one, too.",
  params,
  body: z.object({ amount: priceAmount, trialDays }),
  status: 200,
  answer: operatedPlan,
  problems: { conflict: "It is the free plan." },
});

export const retirePlan = endpoint({
  method: "post",
  path: `${path}/retire`,
  access,
  audit,
  tag,
  summary: "Offers a plan no more",
  description: "Who has it keeps it; nobody new can subscribe to it or change over to it.",
  params,
  status: 200,
  answer: operatedPlan,
  problems: { conflict: "It is the free plan." },
});

export const offerPlan = endpoint({
  method: "post",
  path: `${path}/offer`,
  access,
  audit,
  tag,
  summary: "Offers a plan again that was retired",
  description: "At the price it had last.",
  params,
  status: 200,
  answer: operatedPlan,
});
