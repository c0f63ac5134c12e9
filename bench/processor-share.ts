import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const periodMicroseconds = 50_000;

/** Processes held to a share of a core each. */
export interface ProcessorShares {
  /** How. */
  way: string;
  hold(pid: number, share: number): void;
  /** Lets all go; to be called when they have ended, too. */
  end(): Promise<void>;
}

/** By the kernel's groups of processes (version 1 or 2) if they may be made, or else by stopping and continuing. */
export async function openProcessorShares(): Promise<ProcessorShares> {
  return (await openGroups()) ?? openSignals();
}

function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

async function openGroups(): Promise<ProcessorShares | undefined> {
  const isSecond = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const parent = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
  const made: string[] = [];
  const limit = (group: string, share: number) => {
    const quota = Math.round(share * periodMicroseconds);
    if (isSecond) return writeFileSync(join(group, "cpu.max"), `${quota} ${periodMicroseconds}`);
    writeFileSync(join(group, "cpu.cfs_period_us"), String(periodMicroseconds));
    writeFileSync(join(group, "cpu.cfs_quota_us"), String(quota));
  };
  const make = (name: string, share: number) => {
    const group = join(parent, `bench-scale-${process.pid}-${name}`);
    mkdirSync(group);
    made.push(group);
    limit(group, share);
    return group;
  };
  const end = async () => {
    for (const group of made.splice(0)) {
      for (const pid of readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
        // One that has just ended can't be moved, and leaves its group a moment later.
        attempt(() => writeFileSync(join(parent, "cgroup.procs"), pid));
      }
      for (let tries = 0; tries < 20 && !attempt(() => rmdirSync(group)); tries += 1) await pause(50);
    }
  };
  const isPossible = attempt(() => make("probe", 1));
  await end();
  if (!isPossible) return undefined;
  return {
    way: `control groups, version ${isSecond ? 2 : 1}`,
    hold: (pid, share) => writeFileSync(join(make(String(pid), share), "cgroup.procs"), String(pid)),
    end,
  };
}

function openSignals(): ProcessorShares {
  const timers: NodeJS.Timeout[] = [];
  const send = (pid: number, signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  };
  return {
    way: "stopping and continuing",
    hold(pid, share) {
      const running = (share * periodMicroseconds) / 1_000;
      const timer = setInterval(() => {
        send(pid, "SIGCONT");
        setTimeout(() => send(pid, "SIGSTOP"), running);
      }, periodMicroseconds / 1_000);
      timers.push(timer);
    },
    async end() {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
  };
}
