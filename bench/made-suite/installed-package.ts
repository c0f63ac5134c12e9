import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { NotInstallable } from "./measured-server.ts";

const cache = resolve("node_modules/.cache/made-suite");

/**
 * Installs a package with its dependencies into a folder of its own, unless an earlier run did; none of its scripts run.
 * @returns the package's folder
 * @throws NotInstallable
 */
export function installPackage(name: string, version: string): string {
  const folder = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  const done = join(folder, "installed");
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    try {
      execFileSync("npm", ["install", ...quiet, `${name}@${version}`], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      });
    } catch (error) {
      const [reason] = String((error as { stderr?: unknown }).stderr ?? error).split("\n");
      throw new NotInstallable(`npm could not install ${name} ${version}: ${reason}`);
    }
    writeFileSync(done, "");
  }
  return join(folder, "node_modules", name);
}
