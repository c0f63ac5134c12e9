/**
 * Runs one of the benchmarks: `node scripts/bench.js NAME [arguments]`. A benchmark on PostgreSQL uses the one at
 * TEST_DATABASE_URL, or starts one with Debian's default settings, where commits wait for the disk.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "./postgres.js";
import { root } from "./prepare.js";

const [name, ...given] = process.argv.slice(2);
const program = join(root, "bench", `${name}.ts`);
const isOnPostgres = readFileSync(program, "utf8").includes("/testing/databases.ts");
const postgres = isOnPostgres ? await startPostgres([]) : undefined;
try {
  const bench = spawn(process.execPath, ["--import", "tsx", program, ...given], {
    cwd: root,
    stdio: "inherit",
    // In its own process group with all its children.
    detached: true,
    env: { ...process.env, NODE_ENV: "production", ...(postgres && { TEST_DATABASE_URL: postgres.url }) },
  });
  const end = (signal) => {
    try {
      process.kill(-bench.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  const [status] = await once(bench, "exit");
  process.exitCode = status ?? 1;
  // However it ended, none of its children may remain.
  end("SIGKILL");
} finally {
  postgres?.stop();
}
