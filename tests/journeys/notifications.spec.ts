import type { Page } from "@playwright/test";
import type { RunningPortal } from "../support/portal-process.ts";
import { expect, expectAccessible, signIn, test } from "../support/portal-test.ts";
import { registerAccount } from "../support/registered-account.ts";

const modal = (page: Page) => page.getByRole("alertdialog", { name: "Action Required" });

/** Signs in a new user; the modal opens on the dashboard. */
async function signInNewcomer(page: Page, portal: RunningPortal, serviceId?: string): Promise<void> {
  await signIn(page, { ...portal, ...(await registerAccount(portal, { serviceId, organizationName: "Bookshop" })) });
}

test("the first sign-in opens the pending notification, and its cross changes nothing", async ({ page, portal }) => {
  await signInNewcomer(page, portal, "team");
  await expect(modal(page)).toContainText("Subscribe to Team");
  await expect(modal(page)).toContainText("High priority");
  await expect(modal(page)).toContainText("as soon as possible");
  await expectAccessible(page);
  await modal(page).getByRole("button", { name: "Close" }).click();
  await expect(modal(page)).toBeHidden();
  await expect(page.getByRole("listitem").filter({ hasText: "Welcome to API Assurance" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/api-management/list");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(modal(page)).toBeHidden();
});

test("Continue leads to billing, and the modal stays closed", async ({ page, portal }) => {
  await signInNewcomer(page, portal, "team");
  await modal(page).getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/billing\?user-notification-id=[\w-]+$/);
  await expect(page.getByRole("heading", { name: "Plans" })).toBeVisible();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await expect(modal(page)).toBeHidden();
});

test("a chosen plan is subscribed to in billing, by keyboard alone", async ({ page, portal }) => {
  await signInNewcomer(page, portal, "team");
  await expect(modal(page)).toContainText("Subscribe to Team");
  await expect(modal(page).getByRole("button", { name: "Skip" })).toBeFocused();
  // The rest of the page is unreachable: the focus cycles within the dialog.
  await page.keyboard.press("Escape");
  await expect(modal(page)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(modal(page).getByRole("button", { name: "Don't Show Again" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/billing\?user-notification-id=/);
  await expect(page.getByText("You picked Team")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Free", level: 2 })).toBeVisible();
  await expect(page.getByText("0 of 2", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

/** The focused element after each press of Tab, for one full cycle: in the dialog, or in the page behind it. */
async function tabRound(page: Page): Promise<Set<string>> {
  const locations = new Set<string>();
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    const location = await page.evaluate(() =>
      document.activeElement === document.body
        ? "browser"
        : document.activeElement?.closest("dialog, header, main, footer, aside")?.localName,
    );
    locations.add(location ?? "elsewhere");
  }
  locations.delete("browser");
  return locations;
}

/** As in Firefox and Safari: a browser without CSS `interactivity`. */
async function withoutInteractivity(page: Page): Promise<void> {
  await page.route("**/*.css", async (route) => {
    const response = await route.fetch({ maxRetries: 1 });
    const body = (await response.text()).replaceAll("interactivity", "unknown-property");
    await route.fulfill({ response, body });
  });
}

for (const script of [true, false]) {
  test.describe(() => {
    test.use({ javaScriptEnabled: script });

    test(`the focus stays in a dialog in any browser, ${script ? "with" : "without"} script, until it is closed`, async ({
      page,
      portal,
    }) => {
      const account = await registerAccount(portal, { serviceId: "team", organizationName: "Bookshop" });
      await withoutInteractivity(page);
      await signIn(page, { ...portal, ...account });
      await expect(modal(page)).toBeVisible();
      // Until its styles and its script have loaded, nothing of a page is inert.
      await page.waitForLoadState();
      expect([...(await tabRound(page))]).toEqual(["dialog"]);
      // The page is released at once, not in the next frame.
      const held = await modal(page)
        .getByRole("button", { name: "Close" })
        .evaluate((close: HTMLElement) => {
          close.click();
          return Promise.resolve().then(() => document.querySelectorAll("[inert]").length);
        });
      expect(held).toBe(0);
      await expect(modal(page)).toBeHidden();
      await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
      expect([...(await tabRound(page))]).not.toContain("dialog");
      expect(await tabRound(page)).toContain("main");
    });
  });
}
