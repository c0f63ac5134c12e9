import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { installFromDebian, isInDebian } from "./debian.js";

const shell = "/usr/bin/chromium-headless-shell";
const whole = "/usr/bin/chromium";

/**
 * The browser of tests, benchmarks and screenshots: the configured one, else Playwright's own if present, else
 * Debian's. Its headless shell, which some releases lack, needs less CPU time for the same work.
 */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(chromium.executablePath())) return undefined;
  const present = [shell, whole].find((path) => existsSync(path));
  if (present) return present;
  const name = isInDebian("chromium-headless-shell") ? "chromium-headless-shell" : "chromium";
  installFromDebian([name, "fonts-liberation"]);
  return `/usr/bin/${name}`;
}
