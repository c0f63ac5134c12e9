import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join, relative } from "node:path";

/**
 * One process per data folder. PGlite has no lock of its own, and two processes silently lose each other's
 * acknowledged writes. The lock is a bound Unix socket: the kernel takes it away from a killed process, so a stale
 * one is recognised by nobody answering, not by guessing from a pid that may be reused.
 */
export interface FolderLock {
  release(): Promise<void>;
}

export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  constructor(
    readonly folder: string,
    readonly ownerPid: number,
  ) {
    super(
      `The data folder ${folder} is in use by process ${ownerPid}. Stop it first, or set DATA_DIRECTORY to another folder.`,
    );
  }
}

// A socket's path may have 107 bytes (sun_path); the relative form is often the shorter.
function socketPath(folder: string): string {
  const absolute = join(folder, "owner.sock");
  const fromHere = relative(process.cwd(), absolute);
  return Buffer.byteLength(absolute) <= 100 ? absolute : fromHere;
}

function askOwner(path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(path);
    const giveUp = setTimeout(() => finish(Number(answer) || 0), 800);
    function finish(pid: number | undefined) {
      clearTimeout(giveUp);
      socket.destroy();
      resolve(pid);
    }
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => finish(Number(answer)));
    socket.on("error", () => finish(undefined));
  });
}

function bind(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.end(String(process.pid));
    });
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** @throws FolderInUse with the owner's pid, within a second. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = socketPath(folder);
  let server = await bind(path);
  if (!server) {
    const owner = await askOwner(path);
    if (owner !== undefined) throw new FolderInUse(folder, owner);
    rmSync(path, { force: true });
    server = await bind(path);
    if (!server) throw new FolderInUse(folder, (await askOwner(path)) ?? 0);
  }
  const bound = server;
  return {
    release: () =>
      new Promise((resolve) => {
        bound.close(() => resolve());
      }),
  };
}
