import { availableParallelism, loadavg } from "node:os";
import { defineConfig } from "@playwright/test";

/** Chromium of the machine where Playwright's own is not there; `scripts/test.js` finds out which. */
const executablePath = process.env.CHROMIUM_PATH;

/** As in `vitest.config.ts`, which says why: short where a few files are run, else long. */
const hasShortLimits = process.env.TEST_LIMITS === "short" && !process.env.CI;
const busyness = Math.max(1, loadavg()[0]! / availableParallelism());
const seconds = (short: number, long: number) => Math.ceil((hasShortLimits ? short * busyness : long) * 1_000);

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.spec.ts",
  globalSetup: "tests/support/shared-portal.ts",
  fullyParallel: true,
  // One more than the processors wanted: pages wait for answers, mail and time-outs.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  timeout: seconds(120, 600),
  expect: { timeout: seconds(12, 60) },
  outputDir: "test-results",
  use: {
    // So that what hangs says what it waits for.
    actionTimeout: seconds(15, 120),
    browserName: "chromium",
    launchOptions: {
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    },
    // Frames of what moves take the more processor time the longer a busy machine shows them: tests of what moves ask for it.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
  },
});
