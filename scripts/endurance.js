/**
 * Repeats in full what the suite does once: kills among writes, runs, events and payments; every order of PayPal's
 * webhooks; random and forged input. Then, as root and with Debian's packages: NATS servers killed and partitioned, failovers, a full disk.
 * Takes an hour or more, and prints its figures.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "./postgres.js";
import { build, install, root } from "./prepare.js";
import { makeScratch } from "./scratch.js";

const files = ["app", "libraries", "services", "tests"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter(
      (name) =>
        name.endsWith(".endurance.ts") ||
        (name.endsWith(".test.ts") && /\/endurance\.ts"|"fast-check"/.test(readFileSync(join(root, name), "utf8"))),
    ),
);

install();
build();
const scratch = makeScratch();
const postgres = await startPostgres();
try {
  const begun = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=verbose",
      "--disable-console-intercept",
      // The duration of hundreds of kills depends on the machine.
      "--testTimeout=7200000",
      ...files,
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, ENDURANCE: "1", TEST_DATABASE_URL: postgres.url } },
  );
  process.stdout.write(`${files.length} files in ${Math.round((performance.now() - begun) / 60_000)} min\n`);
  process.exitCode = status ?? 1;
} finally {
  postgres.stop();
  scratch.remove();
}
