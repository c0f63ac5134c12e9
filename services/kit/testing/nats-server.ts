import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer } from "../../../scripts/nats-server.js";
import { findPort } from "./find-port.ts";

/** Debian's NATS server with JetStream, at a port and in a folder that it keeps when it is killed and started again. */
export async function startNatsServer() {
  const folder = mkdtempSync(join(tmpdir(), "nats-"));
  const port = await findPort();
  const program = findNatsServer();

  async function start() {
    const child = spawn(
      program,
      ["--jetstream", "--store_dir", folder, "--addr", "127.0.0.1", "--port", String(port)],
      {
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let output = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("Server is ready")) resolve();
      });
      child.once("exit", () => reject(new Error(output)));
    });
    return child;
  }
  let running: Awaited<ReturnType<typeof start>> | undefined = await start();

  async function kill(): Promise<void> {
    if (!running) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    running = undefined;
    await ended;
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    async start() {
      running ??= await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
