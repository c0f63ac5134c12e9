import { inviteByMail } from "../support/invited.ts";
import { test } from "../support/portal-test.ts";
import { completeAccount, newcomer } from "../support/registration-life.ts";

test("an invitation is taken up without script", async ({ page, portal }) => {
  const person = newcomer();
  const { link } = await inviteByMail(portal, person.email);
  await page.goto(link);
  await completeAccount(page, portal, person);
});
