import { defineConfig } from "@playwright/test";

/** Chromium of the machine where Playwright's own is not there; `scripts/test.js` finds out which. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.spec.ts",
  globalSetup: "tests/support/shared-portal.ts",
  fullyParallel: true,
  // One more than the processors wanted: pages wait for answers, mail and time-outs.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // Nothing is decided by the clock: these end what hangs, on the busiest machine too.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  outputDir: "test-results",
  use: {
    // So that what hangs says what it waits for.
    actionTimeout: 120_000,
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
