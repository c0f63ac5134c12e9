import type { Page } from "@playwright/test";
import { type AnnouncingService, startAnnouncingService } from "../support/announcing-service.ts";
import type { PortalProcess } from "../support/portal-process.ts";
import { test as base, expect, expectAccessible, signIn } from "../support/portal-test.ts";
import { startPostgresPortal } from "../support/postgres-portal.ts";

let announcing: AnnouncingService;
let elsewhere: PortalProcess;
/** A portal whose portal-service is a remote one with two announcements for every user. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
  portal: async ({}, use) => use(elsewhere),
});
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  announcing = await startAnnouncingService();
  elsewhere = await startPostgresPortal({ PORTAL_SERVICE_URL: announcing.origin });
});
test.afterAll(async () => {
  await elsewhere.stop();
  await announcing.stop();
});

test.beforeEach(async ({ page }) => {
  announcing.renew();
  await page.emulateMedia({ reducedMotion: "no-preference" });
});

const _always = Number.POSITIVE_INFINITY;

const modal = (page: Page) => page.getByRole("alertdialog", { name: "Action Required" });

/** It is next, unless the browser displayed the page so late that the modal's second was over and Skip had the focus. */
async function reachClose(page: Page): Promise<void> {
  const skip = modal(page).getByRole("button", { name: "Skip" });
  const isLate = await skip.evaluate((button) => button === document.activeElement);
  if (isLate) await page.keyboard.press("Shift+Tab");
  else await page.keyboard.press("Tab");
  await expect(modal(page).getByRole("button", { name: "Close" })).toBeFocused();
}

test("the most urgent is displayed first, and a second after its response the next, within reach of the keyboard", async ({
  page,
  portal,
}) => {
  await signIn(page, portal);
  await expect(modal(page)).toContainText("Approve the payment for Team");
  await expect(modal(page)).toContainText("Critical priority");
  await expect(modal(page)).toHaveCSS("animation-delay", "0s");
  await page.goto("/dashboard");
  await expect(modal(page)).toHaveCount(0);

  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page).toHaveURL("/");
  await signIn(page, portal);
  await expect(modal(page).getByRole("button", { name: "Skip" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(modal(page)).toContainText("Subscribe to Team");
  await expect(modal(page)).toHaveCSS("animation-delay", "1s");
  await expect(modal(page)).toHaveCSS("visibility", "visible");
  await reachClose(page);
  await page.keyboard.press("Tab");
  await expect(modal(page).getByRole("button", { name: "Skip" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(modal(page)).toContainText("Read what is new");
  await expect(modal(page)).toHaveCSS("visibility", "visible");
  await reachClose(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
  await expect(modal(page)).toHaveCount(0);
});

test("a message above the modal can be closed", async ({ page, portal }) => {
  await signIn(page, portal);
  announcing.hangUp(1);
  await modal(page).getByRole("button", { name: "Skip" }).click();
  await expect(modal(page)).toContainText("Approve the payment for Team");
  const toast = page.getByRole("alert").filter({ hasText: "could not be saved" });
  await toast.getByRole("button", { name: "Close" }).click();
  await expect(toast).toBeHidden();
  await expect(modal(page)).toBeVisible();
  await expectAccessible(page);
});
