import { inviteByMail } from "../support/invited.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";
import { completeAccount, goodPassword, newcomer } from "../support/registration-life.ts";

test("an invited user sees the inviter and the role, creates an account and works in that organization", async ({
  page,
  portal,
}) => {
  const person = newcomer();
  const { link } = await inviteByMail(portal, person.email);
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are invited");
  await expect(page.getByRole("definition").filter({ hasText: "Editor" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: person.email })).toBeVisible();
  await expectAccessible(page);
  await completeAccount(page, portal, person);
  await page.getByLabel("Password").fill(goodPassword);
  await page.getByRole("button", { name: /log in|^login$/i }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.goto("/profile");
  await expect(page.getByRole("definition").filter({ hasText: "Editor" })).toBeVisible();

  await page.context().clearCookies();
  expect((await page.goto(link))?.status()).toBe(404);
  await expect(page.getByText("ask the person who invited you for a new invitation")).toBeVisible();
});
