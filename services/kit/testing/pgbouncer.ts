import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findPgBouncer } from "../../../scripts/pgbouncer.js";
import { findPort } from "./find-port.ts";

/** Debian's PgBouncer before the database at this URL. */
export async function startPgBouncer(databaseUrl: string, poolMode: "session" | "transaction") {
  const target = new URL(databaseUrl);
  const port = await findPort();
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  // As root it becomes another user, who reads this.
  chmodSync(folder, 0o755);
  const configuration = join(folder, "pgbouncer.ini");
  writeFileSync(
    configuration,
    `[databases]
* = host=${target.hostname} port=${target.port || 5432} user=${target.username}${target.password && ` password=${target.password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 20
`,
  );
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const child = spawn(findPgBouncer(), [...user, configuration], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(output);
    await pause(20);
  }
  return {
    url: `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
