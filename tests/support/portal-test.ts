import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  type CDPSession,
  expect,
  type Page,
} from "@playwright/test";
import { administrator, type RunningPortal } from "./portal-process.ts";
import { startTargetApi, type TargetApi } from "./target-api.ts";

interface WorkerParts {
  targetApi: TargetApi;
  /** By their settings. */
  tabs: Map<string, Page>;
}

interface TestParts {
  /** One portal for all tests; they create their own data and don't rely on an empty one. */
  portal: RunningPortal;
  /** A page on which the administrator is signed in, without having filled in a form. */
  signedIn: Page;
  /** A page in a separate browser context, for changes that can't be undone in a page, such as a clock or an initial script. */
  ownTab: Page;
}

export const test = base.extend<TestParts, WorkerParts>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
  portal: async ({}, use) => {
    await use({ origin: process.env.SHARED_PORTAL as string, ...administrator });
  },
  targetApi: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const targetApi = await startTargetApi();
      await use(targetApi);
      await targetApi.stop();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  tabs: [async ({}, use) => use(new Map()), { scope: "worker" }],
  baseURL: async ({ portal }, use) => {
    // A file that starts a separate portal has no address yet at that time.
    await use(portal?.origin);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  javaScriptEnabled: async ({}, use, { file }) => {
    await use(!file.includes("without-script"));
  },
  // A worker's tests share a tab: a new one with a separate context costs a second of processor time.
  page: async ({ browser, baseURL, javaScriptEnabled, tabs }, use, testInfo) => {
    const settings = `${baseURL} ${javaScriptEnabled}`;
    const page = tabs.get(settings) ?? (await openTab(browser, { baseURL, javaScriptEnabled }));
    tabs.set(settings, page);
    await use(page);
    // A page with a failed test is left as it is for inspection, and the worker ends with it.
    if (testInfo.status === testInfo.expectedStatus) await makeNew(page);
  },
  context: async ({ page }, use) => {
    await use(page.context());
  },
  ownTab: async ({ browser, baseURL, javaScriptEnabled }, use) => {
    const page = await openTab(browser, { baseURL, javaScriptEnabled });
    await use(page);
    await page.context().close();
  },
  signedIn: async ({ page, portal }, use) => {
    await becomeSignedIn(page, portal);
    await use(page);
  },
});

export { expect };

async function openTab(browser: Browser, settings: BrowserContextOptions): Promise<Page> {
  return await (await browser.newContext(settings)).newPage();
}

/** Removes everything a test left in its tab. */
async function makeNew(page: Page): Promise<void> {
  for (const event of ["console", "dialog", "request", "response"] as const) page.removeAllListeners(event);
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  await page.context().clearCookies();
  await page.evaluate(() => {
    if (location.protocol !== "http:") return;
    sessionStorage.clear();
    localStorage.clear();
  });
  await page.goto("about:blank");
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
}

/** Signs in without filling in the form. */
export async function becomeSignedIn(page: Page, portal: RunningPortal): Promise<void> {
  const { username, password, origin } = portal;
  const settings = { form: { username, password }, headers: { origin }, maxRedirects: 0 };
  // A tab's last connection may be closing at this moment: Playwright ignores the portal's keep-alive timeout.
  const response = await page.request.post(`${origin}/login`, { ...settings, maxRetries: 1 });
  expect(response.status()).toBe(303);
}

/** As over a slow line: island scripts load only after the returned function is called. */
export async function holdIslands(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/island-*.js", (route) => released.then(() => route.continue()));
  return release;
}

export async function signIn(page: Page, portal: RunningPortal): Promise<void> {
  await page.goto(`${portal.origin}/login`);
  await page.getByLabel("Username").fill(portal.username);
  await page.getByLabel("Password").fill(portal.password);
  await page
    .getByRole("button", { name: /log ?in/i })
    .last()
    .click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** One per tab: ending a session would also undo other settings of the tab, such as its authenticator. */
const sessions = new WeakMap<Page, CDPSession>();

/** Injects axe as a browser script, which is compiled once for all pages of a tab. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send("Runtime.evaluate", { expression: axeSource });
}

/** axe's rules whose outcome a theme can change. */
export const rulesOfColour = ["color-contrast", "link-in-text-block"];

/** Expects no violation of axe's rules, or of the given ones, on this page. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // axe checks this frame only.
  expect(page.frames()).toHaveLength(1);
  await bringAxe(page);
  const violations = await page.evaluate(async (only) => {
    // Fade-ins are finished first: half-faded text has half its contrast. Longer animations, such as toasts, are left alone.
    for (const animation of document.getAnimations()) {
      if (Number(animation.effect?.getComputedTiming().endTime) < 1_000) animation.finish();
    }
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run({
      resultTypes: ["violations"],
      ...(only ? { runOnly: { type: "rule", values: only } } : {}),
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, rules);
  expect(violations).toEqual([]);
}
