/**
 * Runs one of the measurements: `node scripts/bench.js NAME [arguments]`. One that measures on PostgreSQL has the one at
 * TEST_DATABASE_URL, or one of its own with the settings that Debian gives it: what is stored waits for the disk.
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
    // Of a group with all that it starts.
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
  // However it ended, nothing that it started goes on.
  end("SIGKILL");
} finally {
  postgres?.stop();
}
