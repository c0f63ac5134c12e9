import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";

/** Node arguments to run a TypeScript program: bundled before the suite, or from source. */
export function nodeArguments(program: string, ...parameters: string[]): string[] {
  const { BUNDLED_PROGRAMS: bundled } = process.env;
  if (!bundled) return ["--import", "tsx", program, ...parameters];
  return [join(bundled, `${basename(program, ".ts")}.js`), ...parameters];
}

/** Starts a TypeScript program as a separate process that can be killed. Resolves with its first output. */
export async function startNodeProcess(program: string, ...parameters: string[]): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, nodeArguments(program, ...parameters), {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
