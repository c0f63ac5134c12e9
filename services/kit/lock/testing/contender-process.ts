import { createInterface } from "node:readline";
import { FolderInUse, type FolderLock, lockFolder } from "../folder-lock.ts";

/**
 * A process that locks folders on command: `lock <folder>` and `release`, one per line; responds with one line each.
 */
let lock: FolderLock | undefined;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [command, folder = ""] = line.split(" ");
  if (command === "lock") {
    try {
      lock = await lockFolder(folder);
      process.stdout.write("owns\n");
    } catch (error) {
      process.stdout.write(
        error instanceof FolderInUse ? `refused ${error.ownerPid}\n` : `failed ${(error as Error).message}\n`,
      );
    }
  } else {
    await lock?.release();
    lock = undefined;
    process.stdout.write("released\n");
  }
}
