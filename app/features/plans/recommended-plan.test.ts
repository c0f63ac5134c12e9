import { expect, test } from "vitest";
import { recommendPlan } from "./recommended-plan";

const plansAt = (...amounts: string[]) =>
  amounts.map((amount) => ({ price: { amount, currency: "USD", interval: "month" as const } }));

test("the cheapest plan that costs something is recommended, whatever the operator calls it", () => {
  expect(recommendPlan(plansAt("0.00", "49.00", "199.00"))?.price.amount).toBe("49.00");
  expect(recommendPlan(plansAt("9.00", "19.00"))?.price.amount).toBe("9.00");
});

test("no plan is recommended where there is nothing to choose, or to pay", () => {
  expect(recommendPlan(plansAt("49.00"))).toBeUndefined();
  expect(recommendPlan(plansAt("0.00", "0.00"))).toBeUndefined();
});
