/**
 * Installs what the tests need (packages, a browser, PostgreSQL) and runs them all.
 * `--unit` or `--browser` runs one half.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, install, root, run } from "./prepare.js";

const asRoot = process.getuid?.() === 0;
const only = process.argv[2];

function has(program) {
  return spawnSync("which", [program]).status === 0;
}

let listsUpdated = false;
function installFromDebian(packages) {
  if (!has("apt-get"))
    throw new Error(`Install ${packages.join(" and ")} first: this machine has no apt-get to do it with.`);
  const apt = (args) =>
    run(asRoot ? "apt-get" : "sudo", asRoot ? args : ["apt-get", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    });
  if (!listsUpdated) apt(["update", "-q"]);
  listsUpdated = true;
  apt(["install", "-y", "-q", "--no-install-recommends", ...packages]);
}

/** Playwright's own browser where it is present, else Debian's. */
async function findBrowser() {
  const { chromium } = await import("@playwright/test");
  if (existsSync(chromium.executablePath())) return undefined;
  if (!existsSync("/usr/bin/chromium")) installFromDebian(["chromium", "fonts-liberation"]);
  return "/usr/bin/chromium";
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const binariesPattern = "/usr/lib/postgresql";
function postgresBinaries() {
  if (!existsSync(binariesPattern)) return undefined;
  const versions = readdirSync(binariesPattern)
    .filter((version) => existsSync(join(binariesPattern, version, "bin/initdb")))
    .sort((a, b) => Number(b) - Number(a));
  return versions[0] && join(binariesPattern, versions[0], "bin");
}

/** A PostgreSQL of our own in a temporary folder, run as `postgres` when we are root, which it refuses to be. */
async function startPostgres() {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop() {} };
  if (!postgresBinaries()) installFromDebian(["postgresql-15"]);
  const binaries = postgresBinaries();
  const folder = mkdtempSync(join(tmpdir(), "portal-tests-postgres-"));
  const asOwner = (program, args) => {
    const command = [join(binaries, program), ...args];
    const [first, ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(first, rest, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  };
  if (asRoot) execFileSync("chown", ["postgres", folder]);
  const port = await freePort();
  asOwner("initdb", ["-D", join(folder, "cluster"), "-U", "postgres", "-A", "trust", "-E", "UTF8"]);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`;
  asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-l", join(folder, "log"), "-o", settings, "-w", "start"]);
  if (!(await answers(port))) throw new Error("PostgreSQL did not start.");
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function runTests(program, args, environment, reportFile) {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", program), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined;
  return { ok: status === 0, report };
}

install();
const reports = mkdtempSync(join(tmpdir(), "portal-tests-"));
let passed = 0;
let failed = 0;
let ok = true;
const postgres = await startPostgres();
try {
  const environment = { TEST_DATABASE_URL: postgres.url };
  process.stdout.write("Store and service tests run on PGlite and on PostgreSQL.\n");
  build();
  if (only !== "--browser") {
    const file = join(reports, "unit.json");
    const unit = runTests(
      "vitest/vitest.mjs",
      ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
      environment,
      file,
    );
    ok &&= unit.ok;
    passed += unit.report?.numPassedTests ?? 0;
    failed += unit.report?.numFailedTests ?? 0;
  }
  if (only !== "--unit") {
    const browser = await findBrowser();
    const file = join(reports, "browser.json");
    const journeys = runTests(
      "@playwright/test/cli.js",
      ["test", "--reporter=list,json"],
      { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(browser ? { CHROMIUM_PATH: browser } : {}) },
      file,
    );
    ok &&= journeys.ok;
    passed += (journeys.report?.stats.expected ?? 0) + (journeys.report?.stats.flaky ?? 0);
    failed += journeys.report?.stats.unexpected ?? 0;
  }
} finally {
  postgres.stop();
  rmSync(reports, { recursive: true, force: true });
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(ok ? 0 : 1);
