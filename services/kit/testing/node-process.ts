import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts a program of TypeScript as a process of its own, to be killed. Resolves with its first output. */
export async function startNodeProcess(program: string, ...parameters: string[]): Promise<{ kill(): Promise<void> }> {
  const given = ["--import", "tsx", program, ...parameters];
  const child = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error(`${program} ended before it was ready.`))),
  ]);
  return {
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
