import { openLocation } from "../support/location-life.ts";
import { test } from "../support/portal-test.ts";

test("by keyboard alone a location is created, gets a code for an agent, and is chosen for an environment", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  await openLocation(page, portal, targetApi);
});
