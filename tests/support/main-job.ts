import type { Page } from "@playwright/test";
import { expect } from "./portal-test.ts";
import { failuresOn, untilEnded } from "./run-life.ts";
import type { TargetApi } from "./target-api.ts";

/**
 * The product's main job on a signed-in page: register an API from its document, create and run its tests, and
 * see which verification failed and why. Ends on the verifications.
 */
export async function doMainJob(page: Page, targetApi: TargetApi, name: string): Promise<void> {
  await page.goto("/api-management/register");
  await page.getByLabel("Document URL").fill(targetApi.openDocumentUrl);
  await page.getByRole("button", { name: "Validate" }).click();
  await expect(page.getByText("Bookshop").first()).toBeVisible();
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText(`${name} is registered`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();

  await page.getByRole("button", { name: /^Create and run/ }).click();
  await expect(page).toHaveURL(/\/executions\/[^/]+\/results$/);
  await untilEnded(page, true);
  const failures = failuresOn(page);
  await expect(failures).toContainText("$.amount: expected a number");
  await failures.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/executions\/[^/]+\/verifications$/);
  await expect(page.getByText('$.amount: expected a number, found "12.50" (a string)').first()).toBeVisible();
  const failed = page.getByRole("region", { name: /Response schema/ }).or(page.locator("#verification-1"));
  await expect(failed.first()).toContainText("Failed");
  await expect(failed.first()).toContainText('expected a number, found "12.50" (a string)');

  const results = page.getByRole("region", { name: "Results" });
  await expect(results).toContainText("200 OK");
  await expect(results.locator('[data-pointer="/amount"]')).toContainText("expected a number");
}
