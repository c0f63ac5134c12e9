import { spawnSync } from "node:child_process";
import { run } from "./prepare.js";

export const asRoot = process.getuid?.() === 0;

function has(program) {
  return spawnSync("which", [program]).status === 0;
}

/** Waits while the machine installs packages itself, as a new one often does. */
function apt(args) {
  const patiently = ["-o", "DPkg::Lock::Timeout=300", ...args];
  run(asRoot ? "apt-get" : "sudo", asRoot ? patiently : ["apt-get", ...patiently], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

let listsUpdated = false;
function updateLists() {
  if (!listsUpdated) apt(["update", "-q"]);
  listsUpdated = true;
}

/** Whether this machine's releases have such a package. */
export function isInDebian(name) {
  if (!has("apt-get")) return false;
  updateLists();
  return spawnSync("apt-cache", ["show", name]).status === 0;
}

/** Installs Debian packages, as root or by sudo. */
export function installFromDebian(packages) {
  if (!has("apt-get"))
    throw new Error(`Install ${packages.join(" and ")} first: this machine has no apt-get to do it with.`);
  updateLists();
  apt(["install", "-y", "-q", "--no-install-recommends", ...packages]);
}
