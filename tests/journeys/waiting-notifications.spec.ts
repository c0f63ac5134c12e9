import type { Page } from "@playwright/test";
import { type AnnouncingService, startAnnouncingService } from "../support/announcing-service.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";
import { test as base, expect, expectAccessible, signIn } from "../support/portal-test.ts";

/** A portal whose portal-service is elsewhere, where two announcements wait for everybody. */
const test = base.extend<object, { announcing: AnnouncingService; portal: PortalProcess }>({
  announcing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
    async ({}, use) => {
      const announcing = await startAnnouncingService();
      await use(announcing);
      await announcing.stop();
    },
    { scope: "worker" },
  ],
  portal: [
    async ({ announcing }, use) => {
      const portal = await startPortalProcess({ environment: { PORTAL_SERVICE_URL: announcing.origin } });
      await use(portal);
      await portal.stop();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

test.beforeEach(({ announcing }) => announcing.renew());

const always = Number.POSITIVE_INFINITY;

const modal = (page: Page) => page.getByRole("alertdialog", { name: "Action Required" });

test("the most urgent comes first, and a second after its answer the next, within reach of the keyboard", async ({
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
  await signIn(page, portal);
  await page.keyboard.press("Enter");
  await expect(modal(page)).toContainText("Subscribe to Team");
  await expect(modal(page)).toHaveCSS("animation-delay", "1s");
  await expect(modal(page)).toHaveCSS("visibility", "visible");
  await page.keyboard.press("Tab");
  await expect(modal(page).getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
  await expect(modal(page)).toHaveCount(0);
});

test("an answer that can't be kept is said, and asked for again", async ({ page, portal, announcing }) => {
  await signIn(page, portal);
  announcing.hangUp(always);
  await modal(page).getByRole("button", { name: "Skip" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "could not be kept" });
  await expect(toast).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await expect(modal(page)).toHaveCount(0);
  announcing.hangUp(0);
  await page.goto("/api-management/list");
  await expect(modal(page)).toContainText("Approve the payment for Team");
});

test("what is said above the modal can be closed", async ({ page, portal, announcing }) => {
  await signIn(page, portal);
  announcing.hangUp(1);
  await modal(page).getByRole("button", { name: "Skip" }).click();
  await expect(modal(page)).toContainText("Approve the payment for Team");
  const toast = page.getByRole("alert").filter({ hasText: "could not be kept" });
  await toast.getByRole("button", { name: "Close" }).click();
  await expect(toast).toBeHidden();
  await expect(modal(page)).toBeVisible();
  await expectAccessible(page);
});

test("who signs in while notifications are away is asked as soon as they are back", async ({
  page,
  portal,
  announcing,
}) => {
  announcing.hangUp(always);
  await signIn(page, portal);
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await expect(modal(page)).toHaveCount(0);
  announcing.hangUp(0);
  await page.goto("/api-management/list");
  await expect(modal(page)).toContainText("Approve the payment for Team");
});

test("a page that only leads on leaves the modal to the page it leads to", async ({ page, portal }) => {
  await page.goto("/login?redirectTo=/test-management");
  await page.getByLabel("Username").fill(portal.username);
  await page.getByLabel("Password").fill(portal.password);
  await page.getByRole("button", { name: "Accept essential cookies and log in" }).click();
  await expect(page).toHaveURL("/test-management/select-api");
  await expect(modal(page)).toContainText("Approve the payment for Team");
});
