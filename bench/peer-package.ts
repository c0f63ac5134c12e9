import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Installs a package below `node_modules/.cache`, unless it is there.
 * @param peer folder of its own there
 * @returns its folder
 */
export function installPeer(peer: string, name: string, version: string): string {
  const folder = resolve("node_modules/.cache", peer);
  const installed = join(folder, "node_modules", name);
  if (existsSync(installed)) return installed;
  mkdirSync(folder, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
  execFileSync("npm", ["install", ...options, `${name}@${version}`]);
  return installed;
}
