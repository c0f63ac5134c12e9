import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { StartRefused } from "../service/start-refused.ts";

/**
 * One process per data folder. PGlite has no lock of its own, and two processes silently lose each other's
 * acknowledged writes. Each process listens on its own Unix socket, which the kernel closes with the process, so an
 * owner is dead when its socket has no listener, not when its pid (which may be reused) seems to be gone.
 *
 * The owner is named by the symbolic link with the highest number: `7` → `4711-9f3c21.sock`. Taking over means
 * creating the next number, which only one process can do. The highest link is never removed, so a slow starter can't
 * act on an owner that has already been succeeded. Applies to the processes of one machine, containers included.
 */
export interface FolderLock {
  release(): Promise<void>;
}

export class FolderInUse extends StartRefused {
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

export class FolderUnusable extends StartRefused {
  override readonly name = "FolderUnusable";
  constructor(folder: string, cause: NodeJS.ErrnoException) {
    super(
      `The data folder ${folder} cannot be used: ${reasons[cause.code ?? ""] ?? cause.message}. Make it writable for this user, or set DATA_DIRECTORY to another folder.`,
      { cause },
    );
  }
}

const reasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is on a read-only disk",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  ENOENT: "it can't be created there",
};

/** The maximum length of a socket's path is 107 bytes on Linux, 103 elsewhere (sun_path). */
const maxSocketPathBytes = 103;

function openSockets(folder: string) {
  const longestName = join(folder, "4194304-000000.sock");
  if (Buffer.byteLength(longestName) <= maxSocketPathBytes) {
    return { toPath: (name: string) => join(folder, name), close() {} };
  }
  if (process.platform !== "linux") throw new Error(`the path has more than ${maxSocketPathBytes} bytes`);
  const descriptor = openSync(folder, "r");
  return { toPath: (name: string) => `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) };
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

/** A frozen owner accepts connections too: the kernel does it. Only "connection refused" and "not found" mean dead. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
}

function highestClaim(folder: string): number {
  return Math.max(0, ...readdirSync(folder).map((name) => (/^\d+$/.test(name) ? Number(name) : 0)));
}

function makeClaim(folder: string, claim: number, socketName: string): boolean {
  try {
    symlinkSync(socketName, join(folder, String(claim)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  // Older links are removed below: reusing a freed number must not make a late claim the valid one.
  if (highestClaim(folder) === claim) return true;
  rmSync(join(folder, String(claim)), { force: true });
  return false;
}

function readClaim(folder: string, claim: number): string | undefined {
  try {
    return readlinkSync(join(folder, String(claim)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes the previous links and the sockets of their dead owners. The last but one remains for readers in progress.
 */
function removeOldClaims(folder: string, current: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^\d+$/.test(name) || Number(name) >= current) continue;
    const socketName = readClaim(folder, Number(name));
    if (socketName) rmSync(join(folder, socketName), { force: true });
    if (Number(name) < current - 1) rmSync(join(folder, name), { force: true });
  }
}

async function acquire(dataFolder: string): Promise<FolderLock> {
  const folder = join(dataFolder, "owner");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sockets = openSockets(folder);
  const socketName = `${process.pid}-${randomBytes(3).toString("hex")}.sock`;
  const server = await listen(sockets.toPath(socketName));
  const release = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        sockets.close();
        resolve();
      });
    });
  try {
    for (;;) {
      const claim = highestClaim(folder);
      const owner = claim === 0 ? undefined : readClaim(folder, claim);
      if (owner && (await isListening(sockets.toPath(owner)))) {
        throw new FolderInUse(dataFolder, Number.parseInt(owner, 10));
      }
      if (claim > 0 && !owner) continue;
      if (!makeClaim(folder, claim + 1, socketName)) continue;
      removeOldClaims(folder, claim + 1);
      return { release };
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * @throws FolderInUse with the owner's pid, immediately
 * @throws FolderUnusable when the folder cannot be created or written
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await acquire(folder);
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw new FolderUnusable(folder, error as NodeJS.ErrnoException);
  }
}
