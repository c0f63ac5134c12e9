import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { installFromDebian } from "./debian.js";

/** The browser of tests, benches and pictures: the one named, Playwright's own where it is present, else Debian's. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(chromium.executablePath())) return undefined;
  if (!existsSync("/usr/bin/chromium")) installFromDebian(["chromium", "fonts-liberation"]);
  return "/usr/bin/chromium";
}
