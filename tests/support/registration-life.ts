import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { mailedCode } from "./mailed.ts";
import type { RunningPortal } from "./portal-process.ts";
import { expect } from "./portal-test.ts";

export const goodPassword = "wooden spoon in the garden";

/** Opens the newest matching email of the local mailbox. */
async function openEmail(page: Page, address: string, subject: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto("/sandbox/mail");
    const row = page.getByRole("row").filter({ hasText: address });
    await row.getByRole("link", { name: subject }).first().click({ timeout: 1_000 });
  }).toPass();
}

export interface Newcomer {
  email: string;
  username: string;
}

export const newcomer = (): Newcomer => {
  const username = `ada-${randomUUID().slice(0, 8)}`;
  return { username, email: `${username}@example.com` };
};

/** From the link in an email to the login page: the code, the account. Invalid values first, which are reported and kept. */
export async function completeAccount(page: Page, portal: RunningPortal, { email, username }: Newcomer): Promise<void> {
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect(page.getByRole("status").filter({ hasText: "We sent a code" })).toContainText(email);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Verification code").fill("12 34");
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByRole("link", { name: "The code has six digits" })).toBeVisible();
  await expect(page.getByLabel("Your name")).toHaveValue("Ada Lovelace");
  await expect(page.getByLabel("Password")).toHaveValue("");

  await page.getByLabel("Verification code").fill(await mailedCode(portal, email));
  await page.getByLabel("Password").fill(goodPassword);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(new RegExp(`/login\\?registered=${username}`));
  await expect(page.getByText("Your account is ready")).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue(username);
}

/** Signs in on the login page, where the username is filled in, and skips the plan that was picked. */
export async function logInFirstTime(page: Page): Promise<void> {
  await page.getByLabel("Password").fill(goodPassword);
  await page.getByRole("button", { name: /log in|^login$/i }).click();
  await expect(page).toHaveURL("/billing?serviceId=team");
  await expect(page.getByText("You picked Team")).toBeVisible();
  await page.goto("/dashboard");
  await page.getByRole("alertdialog").getByRole("button", { name: "Skip" }).click();
  await expect(page.getByRole("link", { name: "Ada Lovelace" })).toBeVisible();
}

/** From a plan on the start page to the dashboard, with email read in the local mailbox. */
export async function registerFromPlan(
  page: Page,
  portal: RunningPortal,
  { organizationName }: { organizationName?: string },
): Promise<void> {
  const person = newcomer();
  await page.goto("/");
  await page.getByRole("link", { name: "Register with Team" }).click();
  await expect(page).toHaveURL("/registration-type-selection?serviceId=team");
  await page.getByRole("link", { name: organizationName ? /^Organization/ : /^Individual/ }).click();

  await expect(page.getByRole("radio", { name: /^Team/ })).toBeChecked();
  if (organizationName) await page.getByLabel("Name of the organization").fill(organizationName);
  await page.getByLabel("Email address").fill(person.email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page).toHaveURL(`/create-account-${organizationName ? "organization" : "individual"}-success`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
  await page.getByRole("link", { name: "Open this installation's mailbox" }).click();
  await expect(page).toHaveURL("/sandbox/mail");

  await openEmail(page, person.email, /registration/);
  await page.getByRole("link", { name: /account-registration\?token=/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Complete your account");
  await expect(page.getByRole("definition").filter({ hasText: organizationName ?? "Individual" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Team" })).toBeVisible();
  await completeAccount(page, portal, person);
  await logInFirstTime(page);
}
