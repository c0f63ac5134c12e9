import { chmodSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What this product makes in its data folder; whatever else lies there is somebody else's. */
const ours = [
  "database",
  "database.unfinished",
  "owner",
  "secrets.key",
  "administrator-password.txt",
  "example-shop.json",
];

function closeTo(path: string): void {
  const entry = lstatSync(path);
  // A link's mode is its target's, which may be anywhere.
  if (!entry.isDirectory() && !entry.isFile()) return;
  const mode = entry.isDirectory() ? 0o700 : 0o600;
  if ((entry.mode & 0o777) !== mode) chmodSync(path, mode);
  if (entry.isDirectory()) for (const name of readdirSync(path)) closeTo(join(path, name));
}

/** What this process makes from now on is its user's alone, the data folder too. */
export function makePrivately(): void {
  process.umask(0o077);
}

/**
 * Leaves the data folder and what is in it to the user this process runs as, whoever made it and with what
 * modes: the database holds everything, and the key beside it opens what is sealed. To be called by the folder's owner.
 * @returns why it could not be done: a volume that belongs to somebody else, say
 */
export function keepPrivate(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  try {
    chmodSync(folder, 0o700);
    for (const name of ours) {
      const path = join(folder, name);
      if (existsSync(path)) closeTo(path);
    }
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `The data folder ${folder} may be open to other users of this machine: its modes can't be set (${code}).`;
  }
}
