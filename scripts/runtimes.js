/**
 * Runs units and services under other versions of Node: `npm run test:runtimes` under each supported one, `npm run
 * test:runtimes -- 24 libraries` under one, for one folder. `--undici 8` replaces the locked undici by that version,
 * in a copy.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { listFailures } from "./failures.js";
import { fetchPackage } from "./fetch-package.js";
import { startPostgres } from "./postgres.js";
import { build, install, root } from "./prepare.js";
import { makeScratch } from "./scratch.js";

const supported = ["22", "24", "26"];

const words = process.argv.slice(2);
const option = words.indexOf("--undici");
const [undici] = option === -1 ? [] : words.splice(option, 2).slice(1);
const isVersion = (word) => /^\d+(\.\d+)*$/.test(word);
const versions = words.some(isVersion) ? words.filter(isVersion) : supported;
const paths = words.filter((word) => !isVersion(word));

/** npm has Node itself, in one package per platform. */
function fetchNode(version) {
  const platform = process.platform === "win32" ? "win" : process.platform;
  return join(fetchPackage(`node-${platform}-${process.arch}`, version), "bin/node");
}

/** The project with all its packages linked except one. */
function copyWith(name, installed, folder) {
  const left = new Set(["node_modules", "build", "data", ".git"]);
  for (const entry of readdirSync(root)) {
    if (!left.has(entry)) cpSync(join(root, entry), join(folder, entry), { recursive: true });
  }
  mkdirSync(join(folder, "node_modules"));
  for (const entry of readdirSync(join(root, "node_modules"))) {
    if (entry !== name) symlinkSync(join(root, "node_modules", entry), join(folder, "node_modules", entry));
  }
  symlinkSync(installed, join(folder, "node_modules", name));
  return folder;
}

function runTests(node, folder, databaseUrl, reportFile) {
  const args = ["run", "--reporter=./scripts/json-reporter.js", `--outputFile.json=${reportFile}`, ...paths];
  const { status } = spawnSync(node, [join(folder, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    // Programs that tests start by name have the same version.
    env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH, TEST_DATABASE_URL: databaseUrl },
  });
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined;
  return { ok: status === 0 && report !== undefined, report };
}

function describe(report, folder) {
  if (!report) return "ended without a report";
  const figures = `${report.numPassedTests} passed, ${report.numFailedTests} failed`;
  return [figures, ...listFailures(report, folder)].join("\n  failed: ");
}

install();
if (paths.length === 0 || paths.some((path) => path.startsWith("tests"))) build();
const scratch = makeScratch();
const postgres = await startPostgres();
let ok = true;
try {
  const folder = undici ? copyWith("undici", fetchPackage("undici", undici), join(scratch.folder, "copy")) : root;
  for (const version of versions) {
    const node = fetchNode(version);
    const name = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    const tested = runTests(node, folder, postgres.socketUrl ?? postgres.url, join(scratch.folder, `${version}.json`));
    ok &&= tested.ok;
    const changed = undici ? `, undici ${undici}` : "";
    process.stdout.write(`Node ${name}${changed}: ${describe(tested.report, folder)}\n`);
  }
} finally {
  postgres.stop();
  scratch.remove();
}
process.exitCode = ok ? 0 : 1;
