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
    { scope: "worker", timeout: 600_000 },
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

/** What fades in has faded in: half of it has half its contrast. What lasts longer, such as a toast, is left to itself. */
async function endBriefAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (Number(animation.effect?.getComputedTiming().endTime) < 1_000) animation.finish();
    }
  });
}

/** axe's rules whose outcome a theme can change. */
export const rulesOfColour = ["color-contrast", "link-in-text-block"];

/** Nothing that axe knows of, or that these rules of it are about, keeps anybody from using this page. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  await endBriefAnimations(page);
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}
