import type { Page } from "@playwright/test";
import { requireValue } from "../../services/kit/client/client.ts";
import { type PortalBackend, signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import { expect } from "./portal-test.ts";
import { registerAccount } from "./registered-account.ts";

/** A new organization that picked Team when it registered, through the public API: registering is not the subject. */
export async function pickTeam(portal: RunningPortal) {
  const account = await registerAccount(portal, { serviceId: "team", organizationName: "Bookshop" });
  const backend = await signInToBackend({ origin: portal.origin, ...account });
  return { account, backend };
}

/** From billing to PayPal's page; the stand-in says that it is one. */
export async function goToPayPal(page: Page): Promise<void> {
  await expect(page.getByText(/ of 20$/)).toBeHidden();
  await page.getByRole("button", { name: "Subscribe to Team" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscription to Team");
  await expect(page.getByText("Nothing is charged until you approve the subscription at PayPal.")).toBeVisible();
  await page.getByRole("link", { name: "Approve at PayPal" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscribe to Team");
  await expect(page.getByText("This page stands in for PayPal. No money moves")).toBeVisible();
}

/** Back from PayPal, the purchase is visible: the subscription, its payment, and the limits of Team. */
export async function expectTeam(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/subscriptions\/[\da-f-]{36}$/);
  await expect(page.getByText("Team is active. Its limits apply now.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Approved at PayPal." })).toHaveCount(1);
  await page.goto("/billing");
  await expect(page.getByText(/ of 20$/).first()).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "$49.00" }).filter({ hasText: "Paid" })).toHaveCount(1);
}

/** The confirmation says what remains until when; after cancelling, the paid period remains, and all data. */
export async function cancelTeam(page: Page, apiName: string): Promise<void> {
  await page.getByRole("link", { name: "Show the subscription" }).click();
  await page.getByRole("link", { name: "Cancel the subscription" }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(dialog).toContainText("Nothing is deleted.");
  await dialog.getByRole("button", { name: "Cancel the subscription" }).click();
  await expect(page.getByText("The subscription to Team is cancelled.")).toBeVisible();
  await expect(page.getByText(/You keep what you paid for until/)).toBeVisible();
  await page.goto("/billing");
  await expect(page.getByText(/ of 20$/).first()).toBeVisible();
  await page.goto("/api-management/list");
  await expect(page.getByRole("link", { name: apiName }).first()).toBeVisible();
}

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Prices", version: "1" },
  paths: { "/prices": { get: { operationId: "listPrices", responses: { "200": { description: "All of them" } } } } },
});

/** A resource that must outlast the subscription. */
export async function registerPrices(backend: PortalBackend): Promise<string> {
  const name = "Prices";
  requireValue(await backend.apiRegistry.registerApi({ body: { source: { document }, name } }), "registering an API");
  return name;
}
