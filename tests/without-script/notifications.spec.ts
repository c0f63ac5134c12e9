import type { Page } from "@playwright/test";
import { expect, signIn, test } from "../support/portal-test.ts";
import { registerAccount } from "../support/registered-account.ts";

const modal = (page: Page) => page.getByRole("alertdialog", { name: "Action Required" });

test("a pending notification is closed, skipped and followed after signing in without script", async ({
  page,
  portal,
}) => {
  const account = await registerAccount(portal, { serviceId: "business", organizationName: "Bookshop" });
  await signIn(page, { ...portal, ...account });
  await expect(modal(page)).toContainText("Subscribe to Business");
  await modal(page).getByRole("button", { name: "Close" }).click();
  await expect(modal(page)).toBeHidden();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Welcome to API Assurance")).toHaveCount(0);

  await page.goto("/signout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await signIn(page, { ...portal, ...account });
  await modal(page).getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/billing\?user-notification-id=/);
  await expect(page.getByText("You picked Business")).toBeVisible();
});

test("the local mailbox is read without script, and an email's link is followed", async ({ page, portal }) => {
  const { email } = await registerAccount(portal);
  await page.goto("/sandbox/mail");
  await page.getByRole("row").filter({ hasText: email }).last().getByRole("link").click();
  await expect(page.getByText(email)).toBeVisible();
  const html = await page.request.get(`${page.url()}/html`);
  expect(html.headers()["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
  await page.getByRole("link", { name: /complete-individual-account-registration/ }).click();
  await expect(page).toHaveURL(/\/complete-individual-account-registration\?token=/);
});
