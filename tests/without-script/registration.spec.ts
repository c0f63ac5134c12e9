import { test } from "../support/portal-test.ts";
import { registerFromPlan } from "../support/registration-life.ts";

test("an individual registers without script", async ({ page, portal }) => {
  await registerFromPlan(page, portal, {});
});

test("an organization registers without script", async ({ page, portal }) => {
  await registerFromPlan(page, portal, { organizationName: "Bookshop without script" });
});
