import type { Page } from "@playwright/test";
import { listRuns, type MadeTests } from "./made-tests.ts";
import { expect } from "./portal-test.ts";

/** Opens the menu in an API's header that runs its tests. */
export async function openRunMenu(page: Page): Promise<void> {
  await page.locator("summary").getByText("Run", { exact: true }).click();
}

/** From "Run 2 tests" to the run of the failed ones, whose page stays open. */
export async function runAllAndTheFailedAgain(page: Page, life: MadeTests, looksAgain: boolean): Promise<void> {
  await page.goto(`/test-management/${life.apiId}/manage`);
  await openRunMenu(page);
  await page.getByRole("button", { name: "Run 2 tests" }).click();
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  await untilEnded(page, looksAgain);
  const first = page.url();
  await expect(page.getByRole("heading", { name: "Run of 2 tests", level: 1 })).toBeVisible();
  const failures = failuresOn(page);
  await expect(failures).toContainText("Wants the impossible");
  await expect(failures).toContainText("418");
  await expect(page.getByRole("img", { name: "When each member ran" })).toBeVisible();
  await page.locator("summary").getByText("1 passed").click();
  await expect(page.getByRole("row", { name: /Lists books/ }).first()).toContainText("Passed");

  await page.getByRole("button", { name: "Run failed again (1)" }).click();
  await expect(page).not.toHaveURL(first);
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  await untilEnded(page, looksAgain);
  await expect(page.getByRole("heading", { name: "Run of 1 test", level: 1 })).toBeVisible();
  await expect(page.getByText("What failed in an earlier run")).toBeVisible();
  expect((await listRuns(life)).map(({ trigger }) => trigger)).toEqual(["rerun", "manual"]);
}

/** The first section of a run's page. */
export function failuresOn(page: Page) {
  return page.locator("section").filter({ has: page.getByRole("heading", { name: "Failures" }) });
}

/** The badge next to the name of the run. */
export function getRunStatus(page: Page) {
  return page.getByRole("heading", { level: 1 }).locator("xpath=following-sibling::*");
}

/** With script the page updates until the run has ended; without, it is refreshed. */
export async function untilEnded(page: Page, looksAgain: boolean): Promise<void> {
  const refresh = page.getByRole("link", { name: "Refresh", exact: true });
  await expect(async () => {
    // The run may end, and the link disappear, before it is pressed.
    if (looksAgain && (await refresh.isVisible())) await refresh.click({ timeout: 1_000 });
    await expect(getRunStatus(page)).not.toHaveText(/Queued|Running|Cancelling/, { timeout: 1_000 });
  }).toPass({ timeout: 300_000 });
}
