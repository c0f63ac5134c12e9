/** Takes the screenshots for the README and the start page from a real run: `npm run screenshots`. */
import { copyFileSync, mkdirSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { doMainJob } from "../tests/support/main-job.ts";
import { startPortalProcess } from "../tests/support/portal-process.ts";
import { signIn } from "../tests/support/portal-test.ts";
import { startTargetApi } from "../tests/support/target-api.ts";
import { findBrowser } from "./browser.js";

const folder = "public/pictures";
mkdirSync(folder, { recursive: true });
mkdirSync("docs/pictures", { recursive: true });

/** The same page on a phone, with the failed verification in view. */
async function photographSmall(page: Page, colorScheme: "light" | "dark") {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 390, height: 480 },
    deviceScaleFactor: 2,
    storageState: await page.context().storageState(),
  });
  const small = await context.newPage();
  await small.goto(page.url());
  await small.getByRole("heading", { name: /1 failed/ }).evaluate((heading) => {
    scrollTo(0, heading.getBoundingClientRect().top + scrollY - 72);
  });
  await small.screenshot({ path: `${folder}/verifications-small-${colorScheme}.png` });
  await context.close();
}

const portal = await startPortalProcess();
const targetApi = await startTargetApi();
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      baseURL: portal.origin,
      colorScheme,
      // Pages cross-fade on navigation.
      reducedMotion: "reduce",
      viewport: { width: 1280, height: 800 },
    });
    await signIn(page, portal);
    await doMainJob(page, targetApi, "Bookshop");
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${folder}/verifications-${colorScheme}.png` });
    await photographSmall(page, colorScheme);
    await page.close();
  }
  copyFileSync(`${folder}/verifications-light.png`, "docs/pictures/verifications.png");
} finally {
  await browser.close();
  await targetApi.stop();
  await portal.stop();
}
