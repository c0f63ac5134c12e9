import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
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

const readStat = (pid: string | number) => {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return fields.split(" ").map(Number);
  } catch {
    return undefined;
  }
};

/** Processor time so far of a process's parent and all its children, also of those that have ended, in milliseconds. */
export function readFamilyTime(childPid: number): number {
  const parent = readStat(childPid)?.[1];
  if (parent === undefined) return 0;
  // User and system time, of its own and of children that it has waited for.
  let ticks = (readStat(parent) ?? []).slice(11, 15).reduce((sum, one) => sum + one, 0);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid);
    if (stat?.[1] === parent) ticks += stat[11]! + stat[12]!;
  }
  return 10 * ticks;
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
