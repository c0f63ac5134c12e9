import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

export interface Program {
  process: ChildProcess;
  /** Everything that it wrote so far, standard output and error. */
  output(): string;
  /** Resolves when it has ended; null when a signal ended it. */
  ended: Promise<number | null>;
  /** Waits until the output matches; returns the first group of the match. Throws with the output when the program ends first. */
  says(pattern: RegExp): Promise<string>;
  kill(): Promise<void>;
}

export const serverProgram = "build/process/server.js";

/** Default timeouts of a start: even the busiest machine responds in that time. */
export const patience = { SERVICE_DEADLINE_SECONDS: "600", DATABASE_CONNECT_SECONDS: "600" };

/** Starts a built program with generous timeouts, and only the given environment. */
export function startProgram(path: string, environment: Record<string, string> = {}): Program {
  return startCommand([process.execPath, path], environment);
}

/** For its environment: stops the program at the very moment when it writes these words. */
export function endWhenItSays(words: string): { NODE_OPTIONS: string } {
  const script = `
    import fs from "node:fs";
    const { writeSync } = fs;
    const { write } = process.stdout;
    const hear = (text) => {
      if (String(text).includes(${JSON.stringify(words)})) process.kill(process.pid, "SIGTERM");
    };
    fs.writeSync = (file, text, ...rest) => {
      if (file === 1) hear(text);
      return writeSync(file, text, ...rest);
    };
    process.stdout.write = (text, ...rest) => {
      hear(text);
      return write.call(process.stdout, text, ...rest);
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

export function startCommand([command, ...given]: [string, ...string[]], environment = {}, cwd?: string): Program {
  const child = spawn(command, given, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "0", ...patience, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      written += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    process: child,
    output: () => written,
    ended,
    async says(pattern) {
      for (;;) {
        const match = pattern.exec(written);
        if (match) return match[1] ?? "";
        if (hasEnded) throw new Error(`The program ended without saying ${pattern}:\n${written}`);
        await pause(10);
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
