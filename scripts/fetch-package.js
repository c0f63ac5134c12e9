import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./prepare.js";

/** Installs a package into its own folder, unless an earlier run did; none of its scripts run. */
export function fetchPackage(name, version) {
  const folder = join(root, "build/runtimes", `${name}-${version}`);
  const installed = join(folder, "node_modules", name);
  if (existsSync(installed)) return installed;
  mkdirSync(folder, { recursive: true });
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  run("npm", ["install", "--prefix", folder, ...quiet, `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return installed;
}
