import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const enoughBytes = 4 * 1024 ** 3;

function hasCapacity(folder) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= enoughBytes;
}

/**
 * A folder for all temporary files of a run, passed to it as TMPDIR. In memory if it fits: a run creates and removes
 * a million small files, and ext4 takes long to find free inodes among recently removed ones.
 */
export function makeScratch() {
  const folder = mkdtempSync(join(hasCapacity(memory) ? memory : tmpdir(), "portal-tests-"));
  // PostgreSQL runs as another user, and has its folder in here.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
