/**
 * Installs what the tests need (packages, a browser, PostgreSQL) and runs them all.
 * `--unit` or `--browser` runs one half.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { startPostgres } from "./postgres.js";
import { build, install, root } from "./prepare.js";
import { makeScratch } from "./scratch.js";

const only = process.argv[2];

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

/** What failed in a report of vitest, each with the first line of its reason: a long run's end says it again. */
function namesOfFailed({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${file}: ${message.split("\n")[0]}`] : [];
    return failed.map((test) => `${file} > ${test.fullName}: ${test.failureMessages[0]?.split("\n")[0] ?? ""}`);
  });
}

install();
const failures = [];
const scratch = makeScratch();
let passed = 0;
let failed = 0;
let notRun = 0;
let ok = true;
const postgres = await startPostgres();
try {
  const environment = { TEST_DATABASE_URL: postgres.socketUrl ?? postgres.url };
  build();
  if (only !== "--browser") {
    const file = join(scratch.folder, "unit.json");
    const unit = runTests(
      "vitest/vitest.mjs",
      ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
      environment,
      file,
    );
    ok &&= unit.ok;
    passed += unit.report?.numPassedTests ?? 0;
    failed += unit.report?.numFailedTests ?? 0;
    if (unit.report) failures.push(...namesOfFailed(unit.report));
  }
  if (only !== "--unit") {
    // Playwright is there only once its package is installed.
    const browser = (await import("./browser.js")).findBrowser();
    const file = join(scratch.folder, "browser.json");
    const journeys = runTests(
      "@playwright/test/cli.js",
      ["test", "--reporter=list,json"],
      { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(browser ? { CHROMIUM_PATH: browser } : {}) },
      file,
    );
    ok &&= journeys.ok;
    passed += (journeys.report?.stats.expected ?? 0) + (journeys.report?.stats.flaky ?? 0);
    failed += journeys.report?.stats.unexpected ?? 0;
    notRun += journeys.report?.stats.skipped ?? 0;
  }
} finally {
  postgres.stop();
  scratch.remove();
}
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}`);
process.stdout.write(`\n${passed} passed, ${failed} failed${notRun ? `, ${notRun} not run` : ""}\n`);
process.exit(ok ? 0 : 1);
