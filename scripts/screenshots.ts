/**
 * `npm run screenshots`: every page of a seeded portal at 1280 light and 360 dark into `build/screenshots`, with an
 * `index.html` to look through, and the pictures of the start page and the README into their places.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium } from "@playwright/test";
import { administrator, type RunningPortal, startPortalProcess } from "../tests/support/portal-process.ts";
import { findBrowser } from "./browser.js";
import { listPages, type PictureOfPage } from "./screenshots/pages.ts";
import { takeProductPictures } from "./screenshots/product-pictures.ts";

const folder = "build/screenshots";
const kinds = [
  { kind: "1280-light", viewport: { width: 1280, height: 860 }, colorScheme: "light" },
  { kind: "360-dark", viewport: { width: 360, height: 760 }, colorScheme: "dark" },
] as const;

const dataDirectory = mkdtempSync(join(tmpdir(), "screenshots-"));
const environment = { ...process.env, DATA_DIRECTORY: dataDirectory, ADMIN_PASSWORD: administrator.password };
const seeded = spawnSync(process.execPath, ["scripts/seed.js"], { env: environment, stdio: "inherit" });
if (seeded.status !== 0) throw new Error("The example could not be made.");

async function signIn(browser: Browser, portal: RunningPortal) {
  const context = await browser.newContext({ baseURL: portal.origin });
  const login = await context.newPage();
  await login.goto("/login");
  await login.getByLabel("Username").fill(portal.username);
  await login.getByLabel("Password").fill(portal.password);
  await login.getByRole("button", { name: /log ?in/i }).click();
  await login.waitForURL("/dashboard");
  const storageState = await context.storageState();
  await context.close();
  return storageState;
}

async function takePages(browser: Browser, options: BrowserContextOptions, pages: PictureOfPage[], kind: string) {
  const failures: string[] = [];
  const contexts = new Map(
    await Promise.all(
      [true, false].map(async (isPublic) => {
        const storageState = isPublic ? undefined : options.storageState;
        return [isPublic, await browser.newContext({ ...options, storageState, reducedMotion: "reduce" })] as const;
      }),
    ),
  );
  for (const { name, path, isPublic } of pages) {
    const page = await contexts.get(isPublic)!.newPage();
    const response = await page.goto(path);
    await page.evaluate(async () => {
      // Those far down are loaded only when they come near to the window.
      for (const image of document.images) image.loading = "eager";
      await Promise.allSettled([...document.images].map((image) => image.decode()));
      await document.fonts.ready;
    });
    await page.screenshot({ path: `${folder}/${name}-${kind}.png`, fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) failures.push(`${path} scrolls sideways at ${kind}`);
    if (!isPublic && new URL(page.url()).pathname === "/login") failures.push(`${path} asks to log in`);
    // Links of emails have ended here: their pages say so with a 404.
    if ((response?.status() ?? 500) >= 400 && !/registration|password-reset/.test(path))
      failures.push(`${path} responds ${response?.status()}`);
    await page.close();
  }
  for (const context of contexts.values()) await context.close();
  return failures;
}

function writeIndex(pages: PictureOfPage[]): void {
  const figures = pages.map(({ name, path }) => {
    const pictures = kinds.map(
      ({ kind }) => `<a href="${name}-${kind}.png"><img src="${name}-${kind}.png" alt="${kind}" loading="lazy"></a>`,
    );
    return `<h2 id="${name}">${name} <small>${path}</small></h2><p>${pictures.join(" ")}</p>`;
  });
  const style =
    "body{font:14px sans-serif;margin:24px}small{color:#666}img{height:420px;border:1px solid #ccc;vertical-align:top}";
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title><style>${style}</style>`;
  writeFileSync(`${folder}/index.html`, `${head}<h1>${pages.length} pages</h1>${figures.join("\n")}\n`);
}

const portal = await startPortalProcess({ dataDirectory });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const options = { baseURL: portal.origin };
  const signedIn = { ...options, storageState: await signIn(browser, portal) };
  const pages = await listPages(portal);
  const pathOf = (ending: RegExp) => pages.find(({ path }) => ending.test(path))!.path;
  await takeProductPictures(browser, signedIn, {
    failure: pathOf(/\/verifications$/),
    schedule: "/test-management/schedules",
    incident: pathOf(/\/incidents\/[^/]+$/),
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const found = await Promise.all(
    kinds.map(async ({ kind, ...size }) => {
      // Each has its own session: a refresh token is used once.
      const storageState = await signIn(browser, portal);
      return await takePages(browser, { ...options, ...size, storageState }, pages, kind);
    }),
  );
  writeIndex(pages);
  process.stdout.write(`${pages.length} pages are in ${folder}/index.html.\n`);
  for (const failure of found.flat()) process.stdout.write(`${failure}\n`);
} finally {
  await browser.close();
  await portal.stop();
}
