import type { Page } from "@playwright/test";
import { expect } from "./portal-test.ts";
import { failuresOn, untilEnded } from "./run-life.ts";
import type { TargetApi } from "./target-api.ts";

/** From the dashboard, where signing in leads, to the reason why the first test of a new API failed: in clicks and filled fields. */
export async function countWayToReason(page: Page, targetApi: TargetApi, looksAgain: boolean) {
  const counted = { clicks: 0, fields: 0 };
  const click = async (role: "link" | "button", name: string | RegExp) => {
    counted.clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await page.goto("/dashboard");
  await click("link", "Register an API");
  counted.fields += 1;
  await page.getByLabel("Document URL").fill(targetApi.openDocumentUrl);
  await click("button", "Register");
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();
  await click("button", /^Create and run/);
  await expect(page).toHaveURL(/\/executions\/[^/]+\/results$/);
  await untilEnded(page, looksAgain);
  const failures = failuresOn(page);
  await expect(failures).toContainText('$.amount: expected a number, found "12.50"');
  await expect(failures).toContainText("new");
  counted.clicks += 1;
  await failures.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/executions\/[^/]+\/verifications$/);
  await expect(page.locator('[data-pointer="/amount"]').first()).toContainText("expected a number");
  return counted;
}
