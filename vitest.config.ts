import { availableParallelism, loadavg } from "node:os";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of whole processes wait for most of their time: begun last, they would keep the run from ending. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification) => moduleId.includes("/tests/process/");
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/**
 * Nothing is decided by the clock: limits end what hangs, on the busiest machine too. But who works on one test waits for
 * a red one until its limit: so a run of a few files that start no programs (`npm test -- PATH`) has short limits,
 * longer by as much as others keep this machine busy. The whole suite and CI have long ones.
 */
const hasShortLimits = process.env.TEST_LIMITS === "short" && !process.env.CI;
const busyness = Math.max(1, loadavg()[0]! / availableParallelism());
const seconds = (short: number, long: number) => Math.ceil((hasShortLimits ? short * busyness : long) * 1_000);

export default defineConfig({
  plugins: [vanillaExtractPlugin()],
  resolve: {
    alias: {
      "~": new URL("./app", import.meta.url).pathname,
      "virtual:islands": new URL("./tests/support/no-islands.ts", import.meta.url).pathname,
    },
  },
  // React's own development runtime is not there in production.
  esbuild: { jsxDev: false },
  test: {
    // As the portal runs, since React in development renders pages in three times the time; but services keep to what
    // their contracts promise.
    env: { NODE_ENV: "production", CHECK_ANSWERS: "true" },
    include: [
      "cli/**/*.test.ts",
      "contracts/**/*.test.ts",
      "libraries/**/*.test.ts",
      "services/**/*.test.ts",
      "app/**/*.test.{ts,tsx}",
      "tests/*.test.ts",
      "tests/handlers/**/*.test.ts",
      "tests/process/**/*.test.ts",
      "server/**/*.test.ts",
      "sandbox/**/*.test.ts",
      "bench/**/*.test.ts",
      // Run by `npm run endurance` as root.
      ...(process.env.ENDURANCE ? ["tests/endurance/**/*.endurance.ts"] : []),
    ],
    setupFiles: ["tests/support/fixed-seed.ts"],
    globalSetup: ["tests/support/database-template.ts", "tests/support/bundled-programs.ts"],
    pool: "forks",
    // Tests make much that does not live long: a larger young generation collects it more seldom.
    poolOptions: { forks: { execArgv: ["--max-semi-space-size=64"] } },
    // A worker keeps what it loaded: every file for itself costs more than the tests. So no file replaces a module
    // (`vi.mock`), and each gives back what it changes of the process.
    isolate: false,
    // One more than the processors wanted: tests wait for processes, time-outs and databases.
    maxWorkers: 3,
    // A worker that is ended because nothing waits can take one that comes just then with it, and the whole run.
    minWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    testTimeout: seconds(18, 600),
    // Servers and databases take as long as they take to start.
    hookTimeout: 600_000,
    // The report at the end of a run repeats the first line of each reason: the values must be in it, not `[ …(1) ]`.
    chaiConfig: { truncateThreshold: 500 },
    expect: { poll: { timeout: seconds(12, 300), interval: 20 } },
  },
});
