import type { Page } from "@playwright/test";
import { type FailingService, startFailingService } from "./failing-service.ts";
import { type PortalProcess, startPortalProcess } from "./portal-process.ts";
import { test as base, expect } from "./portal-test.ts";

/** A portal whose api-registry is elsewhere and in trouble. */
export const test = base.extend<object, { failing: FailingService; portal: PortalProcess }>({
  failing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
    async ({}, use) => {
      const failing = await startFailingService();
      await use(failing);
      await failing.stop();
    },
    { scope: "worker" },
  ],
  portal: [
    async ({ failing }, use) => {
      const portal = await startPortalProcess({ environment: { API_REGISTRY_URL: failing.origin } });
      await use(portal);
      await portal.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

/** Signs in and lands on the profile, which asks nothing of api-registry. */
export async function signInBesideTheDashboard(page: Page, portal: PortalProcess): Promise<void> {
  await page.goto("/login?redirectTo=/profile");
  await page.getByLabel("Username").fill(portal.username);
  await page.getByLabel("Password").fill(portal.password);
  await page
    .getByRole("button", { name: /log in|login/i })
    .last()
    .click();
  await expect(page).toHaveURL(/\/profile$/);
}
