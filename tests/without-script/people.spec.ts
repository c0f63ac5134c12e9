import { bringPeopleIn } from "../support/people-life.ts";
import { test } from "../support/portal-test.ts";

test("without script, ten people are invited at once, open invitations are listed and a role is changed", async ({
  signedIn,
  portal,
}) => {
  await bringPeopleIn(signedIn, portal);
});
