import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The Node options of `npm start`. */
export function readStartFlags(checkout = "."): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  return scripts.start.split(" ").filter((part) => part.startsWith("--"));
}

/** Starts a program of this repository and waits for its first line. */
export async function startProcess(...parameters: string[]): Promise<{ process: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  return { process: child, said };
}

/** Processor time so far, in milliseconds, where /proc reports it. */
export function readProcessorTime(pids: (number | undefined)[]): number {
  const ticks = pids.map((pid) => {
    try {
      const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const [user, system] = fields.split(" ").slice(11, 13).map(Number) as [number, number];
      return user + system;
    } catch {
      return 0;
    }
  });
  return 10 * ticks.reduce((sum, one) => sum + one, 0);
}
