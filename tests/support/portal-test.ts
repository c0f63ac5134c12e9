import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { type PortalProcess, startPortalProcess } from "./portal-process.ts";
import { startTargetApi, type TargetApi } from "./target-api.ts";

interface WorkerParts {
  /** One portal for all tests of a worker; tests make what they need and don't count on an empty one. */
  portal: PortalProcess;
  targetApi: TargetApi;
}

interface TestParts {
  /** A page of somebody who is signed in as administrator. */
  signedIn: Page;
}

export const test = base.extend<TestParts, WorkerParts>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
    async ({}, use) => {
      const portal = await startPortalProcess();
      await use(portal);
      await portal.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  targetApi: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const targetApi = await startTargetApi();
      await use(targetApi);
      await targetApi.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ portal }, use) => {
    await use(portal.origin);
  },
  signedIn: async ({ page, portal }, use) => {
    await signIn(page, portal);
    await use(page);
  },
});

export { expect };

export async function signIn(page: Page, portal: PortalProcess): Promise<void> {
  await page.goto(`${portal.origin}/login`);
  await page.getByLabel("Username").fill(portal.username);
  await page.getByLabel("Password").fill(portal.password);
  await page
    .getByRole("button", { name: /log ?in/i })
    .last()
    .click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** What fades in has faded in: half of it has half its contrast. What lasts longer, such as a toast, is not waited for. */
async function briefAnimationsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const brief = document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < 1_000);
    await Promise.allSettled(brief.map(({ finished }) => finished));
  });
}

/** Nothing that axe knows of keeps anybody from using this page. */
export async function expectAccessible(page: Page): Promise<void> {
  await briefAnimationsEnd(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}
