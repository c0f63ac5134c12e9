import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [vanillaExtractPlugin()],
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  test: {
    include: [
      "services/**/*.test.ts",
      "app/**/*.test.{ts,tsx}",
      "tests/*.test.ts",
      "tests/process/**/*.test.ts",
      "server/**/*.test.ts",
    ],
    globalSetup: ["tests/support/database-template.ts"],
    pool: "forks",
    maxWorkers: 2,
    minWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
