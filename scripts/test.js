/**
 * Installs the tests' requirements (packages, a browser, PostgreSQL) and runs them all. `--unit` or `--browser` runs
 * one half. With paths it runs the tests there, and starts only what they need; `--plain` runs those without
 * requirements.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listFailures } from "./failures.js";
import { startPostgres } from "./postgres.js";
import { build, install, root } from "./prepare.js";
import { makeScratch } from "./scratch.js";
import { folders, getNeeds, testsAt } from "./test-needs.js";

const given = process.argv.slice(2);
const only = given.find((argument) => /^--(unit|browser|plain)$/.test(argument));
const paths = given.filter((argument) => argument !== only);

/** The selection: everything, or only some files. */
function choose() {
  if (only !== "--plain" && paths.length === 0) {
    return { units: only !== "--browser", browser: only !== "--unit", database: true, build: true, files: [] };
  }
  const all = testsAt(paths.length > 0 ? paths : folders).map((file) => ({ file, ...getNeeds(file) }));
  const isPlain = (test) => !test.database && !test.build && !test.browser && !test.programs;
  const files = only === "--plain" ? all.filter(isPlain) : all;
  const some = (need) => files.some((test) => test[need]);
  return {
    ...{ units: files.some((test) => !test.browser), browser: some("browser") },
    ...{ database: some("database"), build: some("build"), files },
  };
}

const chosen = choose();
if (chosen.files.length === 0 && (paths.length > 0 || only === "--plain")) {
  process.stderr.write("There are no tests.\n");
  process.exit(1);
}
const filesFor = (browser) => chosen.files.filter((test) => test.browser === browser).map(({ file }) => file);
/** See `vitest.config.ts`: not for tests that start programs, whose duration is not bounded. */
const startsPrograms = chosen.files.some((test) => !test.browser && (test.build || test.programs));
const limits = chosen.files.length > 0 && !startsPrograms ? "short" : "long";

function runTests(program, args, environment, reportFile) {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", program), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined;
  if (!report) process.stderr.write(`\n${program} ended without telling what it ran.\n`);
  return { ok: status === 0 && report !== undefined, report };
}

install();
const failures = [];
const scratch = makeScratch();
let passed = 0;
let failed = 0;
let notRun = 0;
let ok = true;
const postgres = chosen.database ? await startPostgres() : undefined;
try {
  const environment = {
    TEST_LIMITS: limits,
    ...(postgres ? { TEST_DATABASE_URL: postgres.socketUrl ?? postgres.url } : { TESTS_NEED_DATABASE: "no" }),
  };
  if (chosen.build) build();
  if (chosen.units) {
    const file = join(scratch.folder, "unit.json");
    const unit = runTests(
      "vitest/vitest.mjs",
      [
        "run",
        "--reporter=default",
        "--reporter=./scripts/json-reporter.js",
        `--outputFile.json=${file}`,
        ...filesFor(false),
      ],
      environment,
      file,
    );
    ok &&= unit.ok;
    passed += unit.report?.numPassedTests ?? 0;
    failed += unit.report?.numFailedTests ?? 0;
    if (unit.report) failures.push(...listFailures(unit.report, root));
  }
  if (chosen.browser) {
    // Playwright exists only once its package is installed.
    const browser = (await import("./browser.js")).findBrowser();
    const file = join(scratch.folder, "browser.json");
    const journeys = runTests(
      "@playwright/test/cli.js",
      ["test", "--reporter=list,json", ...filesFor(true)],
      { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(browser ? { CHROMIUM_PATH: browser } : {}) },
      file,
    );
    ok &&= journeys.ok;
    passed += (journeys.report?.stats.expected ?? 0) + (journeys.report?.stats.flaky ?? 0);
    failed += journeys.report?.stats.unexpected ?? 0;
    notRun += journeys.report?.stats.skipped ?? 0;
  }
} finally {
  postgres?.stop();
  scratch.remove();
}
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}`);
process.stdout.write(`\n${passed} passed, ${failed} failed${notRun ? `, ${notRun} not run` : ""}\n`);
process.exit(ok ? 0 : 1);
