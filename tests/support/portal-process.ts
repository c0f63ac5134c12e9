import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SignedIn } from "#contracts/security-service/sessions.ts";
import { patience } from "./program.ts";

/** The address of a portal, and its administrator. */
export interface RunningPortal {
  /** For example `http://127.0.0.1:41234`. */
  origin: string;
  username: string;
  password: string;
}

export interface PortalProcess extends RunningPortal {
  dataDirectory: string;
  process: ChildProcess;
  /** Everything that the process wrote so far, standard output and error. */
  output(): string;
  /** Stops it and waits; returns the exit code. */
  stop(): Promise<number | null>;
}

export interface PortalProcessOptions {
  dataDirectory?: string;
  environment?: Record<string, string>;
  /** Keeps the data folder when stopped, for another start. */
  keepData?: boolean;
  /** Puts the data folder on a disk of this size, in memory; reachable by `dataDirectory` while the process lives. */
  diskMegabytes?: number;
}

const program = [process.execPath, "build/process/server.js"];

/** On a separate disk that no other process sees. Needs permission to mount: root, or unprivileged user namespaces. */
function programOnDisk(megabytes: number): string[] {
  const script = `mount -t tmpfs -o size=${megabytes}m none "$DATA_DIRECTORY"; exec "$0" "$1"`;
  return ["unshare", "--map-root-user", "--mount", "sh", "-ec", script, ...program];
}

export const administrator = { username: "admin", password: "correct-horse-battery" };

/** Starts the built portal as a separate process, on a free port and a fresh data folder. */
export async function startPortalProcess(options: PortalProcessOptions = {}): Promise<PortalProcess> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), "portal-data-"));
  const { diskMegabytes } = options;
  const [command, ...given] = diskMegabytes === undefined ? program : programOnDisk(diskMegabytes);
  const child = spawn(command!, given, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIRECTORY: dataDirectory,
      ADMIN_PASSWORD: administrator.password,
      ...patience,
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  child.stdout.on("data", (chunk) => {
    written += chunk;
  });
  child.stderr.on("data", (chunk) => {
    written += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let origin: string | undefined;
  while (!origin) {
    origin = /ready at (\S+)/.exec(written)?.[1];
    if (!origin && child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`The portal did not start:\n${written}`);
    }
    if (!origin) await pause(50);
  }
  return {
    origin,
    username: administrator.username,
    password: options.environment?.ADMIN_PASSWORD ?? administrator.password,
    dataDirectory: diskMegabytes === undefined ? dataDirectory : `/proc/${child.pid}/root${dataDirectory}`,
    process: child,
    output: () => written,
    async stop() {
      if (child.exitCode === null) child.kill("SIGTERM");
      const code = await ended;
      if (!options.keepData) rmSync(dataDirectory, { recursive: true, force: true });
      return code;
    },
  };
}

/** For a few calls: the token is valid for minutes. */
export async function signInForToken(portal: RunningPortal): Promise<string> {
  return (await signIn(portal)).accessToken;
}

/** Signs in through the public API, for tests that call services rather than pages. */
export async function signIn(portal: RunningPortal): Promise<SignedIn> {
  const response = await fetch(`${portal.origin}/api/security-service/auth/login`, {
    method: "POST",
    headers: { username: encodeURIComponent(portal.username), password: encodeURIComponent(portal.password) },
  });
  return (await response.json()) as SignedIn;
}
