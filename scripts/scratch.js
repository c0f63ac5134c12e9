import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const enoughBytes = 4 * 1024 ** 3;

function hasRoom(folder) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= enoughBytes;
}

/**
 * A folder for everything temporary of a run, which finds it as its TMPDIR. In memory where there is room: a run makes
 * and removes a million small files, and ext4 looks long for a free place among those removed a moment ago.
 */
export function makeScratch() {
  const folder = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "portal-tests-"));
  // PostgreSQL runs as a user of its own, and has its folder in here.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
