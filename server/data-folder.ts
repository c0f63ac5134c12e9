import { chmodSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The product's entries in its data folder; any other entry is left alone. */
const ours = [
  "database",
  "database.unfinished",
  "owner",
  "secrets.key",
  "administrator-password.txt",
  "example-shop.json",
  "example-shop.json.new",
];

function closeTo(path: string): void {
  const entry = lstatSync(path);
  // A link's mode is its target's, which may be anywhere.
  if (!entry.isDirectory() && !entry.isFile()) return;
  const mode = entry.isDirectory() ? 0o700 : 0o600;
  if ((entry.mode & 0o777) !== mode) chmodSync(path, mode);
  if (entry.isDirectory()) for (const name of readdirSync(path)) closeTo(join(path, name));
}

/** Restricts files created by this process from now on to its user, the data folder included. */
export function makePrivately(): void {
  process.umask(0o077);
}

/**
 * Restricts the data folder and its contents to this process's user, whatever their former owner and modes: the
 * database contains everything, and the key stored with it opens what is sealed. Must be called by the folder's
 * owner.
 * @returns the reason when it failed, e.g. a volume that belongs to another user
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
