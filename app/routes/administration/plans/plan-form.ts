import { z } from "zod";
import {
  limitsInput,
  planContent,
  planCurrencies,
  priceAmount,
  trialDays,
} from "#contracts/portal-service/operated-plans.ts";

const { apis, tests, executionsPerMonth, members } = limitsInput.shape;

/** An empty field means no limit. */
const orUnlimited = (limit: typeof apis) =>
  limit
    .unwrap()
    .optional()
    .transform((value) => value ?? null);

/** The service's own rules, with limits in the form's format. */
export const planContentForm = planContent.extend({
  limits: limitsInput.extend({
    apis: orUnlimited(apis),
    tests: orUnlimited(tests),
    executionsPerMonth: orUnlimited(executionsPerMonth),
    members: orUnlimited(members),
  }),
});

export const priceForm = z.object({ amount: priceAmount, trialDays });
export type NewPrice = z.input<typeof priceForm>;

export const newPlanForm = planContentForm.extend({
  price: priceForm.extend({ currency: z.enum(planCurrencies, { error: "Choose a currency" }) }),
});
export type NewPlan = z.input<typeof newPlanForm>;
