import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [vanillaExtractPlugin()],
  resolve: {
    alias: {
      "~": new URL("./app", import.meta.url).pathname,
      "virtual:islands": new URL("./tests/support/no-islands.ts", import.meta.url).pathname,
    },
  },
  test: {
    include: [
      "services/**/*.test.ts",
      "app/**/*.test.{ts,tsx}",
      "tests/*.test.ts",
      "tests/handlers/**/*.test.ts",
      "tests/process/**/*.test.ts",
      "server/**/*.test.ts",
      "sandbox/**/*.test.ts",
    ],
    globalSetup: ["tests/support/database-template.ts", "tests/support/bundled-programs.ts"],
    pool: "forks",
    // A worker keeps what it loaded: every file for itself costs more than the tests. So no file replaces a module
    // (`vi.mock`), and each gives back what it changes of the process.
    isolate: false,
    maxWorkers: 2,
    minWorkers: 1,
    // Nothing is decided by the clock: these end what hangs, on the busiest machine too.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
  },
});
