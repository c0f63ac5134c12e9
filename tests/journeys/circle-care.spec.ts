import { careForCircle } from "../support/circle-care-life.ts";
import { test } from "../support/portal-test.ts";

test("by keyboard alone a circle gets a service level, an alert rule, a status page and a maintenance window", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  await careForCircle(page, portal, targetApi);
});
