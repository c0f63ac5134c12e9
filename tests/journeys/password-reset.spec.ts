import { resetPassword } from "../support/password-reset-life.ts";
import { expect, test } from "../support/portal-test.ts";
import { registerAccount } from "../support/registered-account.ts";

test("a forgotten password is chosen anew by a mailed link", async ({ page, portal }) => {
  await resetPassword(page, portal);
});

test("A05: the page answers the same for an address with an account and for one without", async ({ page, portal }) => {
  const { email } = await registerAccount(portal);
  const answers: string[] = [];
  for (const address of [email, "nobody-at-all@example.com"]) {
    await page.goto("/password-reset");
    await page.getByLabel("E-mail address").fill(address);
    await page.getByRole("button", { name: "Mail me the link" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Look into your mail");
    answers.push(`${new URL(page.url()).search} ${await page.getByRole("main").innerText()}`);
  }
  expect(answers[1]).toBe(answers[0]);
});

test("a link without its token says how to get another", async ({ page }) => {
  expect((await page.goto("/password-reset/complete"))?.status()).toBe(404);
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await expect(page).toHaveURL("/password-reset");
});
