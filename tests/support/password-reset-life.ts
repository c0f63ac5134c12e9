import type { Page } from "@playwright/test";
import { mailedLink } from "./mailed.ts";
import type { RunningPortal } from "./portal-process.ts";
import { expect } from "./portal-test.ts";
import { registerAccount } from "./registered-account.ts";

const newPassword = "seven quiet harbours at dusk";

/** From "Forgot your password?" to a sign-in with the new one; the link is invalid afterwards. */
export async function resetPassword(page: Page, portal: RunningPortal): Promise<void> {
  const { email, username, password } = await registerAccount(portal);
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page.getByRole("link", { name: "Enter an email address" })).toBeVisible();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");

  const link = await mailedLink(portal, email, /new password/i);
  await page.goto(link);
  await page.getByLabel("Password").fill("password12345678");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("link", { name: /harder to guess/ })).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveValue("");
  await page.getByLabel("Password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password is changed")).toBeVisible();

  await logIn(page, username, password);
  await expect(page.getByRole("alert")).toContainText("Username or password is wrong");
  await logIn(page, username, newPassword);
  await expect(page).toHaveURL("/dashboard");

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByLabel("Password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
}

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: /log in|^login$/i }).click();
}
