import { bringPeopleIn } from "../support/people-life.ts";
import { test } from "../support/portal-test.ts";

test("without script, ten people are invited in one go, who has not answered is seen and a role is changed", async ({
  signedIn,
  portal,
}) => {
  await bringPeopleIn(signedIn, portal);
});
