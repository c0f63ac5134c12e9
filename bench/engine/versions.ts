import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = process.cwd();

function run(program: string, parameters: string[], cwd: string): void {
  execFileSync(program, parameters, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

/** Packages are linked where both versions lock the same ones, which takes seconds instead of a minute. */
function install(folder: string): void {
  const getLock = (of: string) => readFileSync(join(of, "package-lock.json"), "utf8");
  if (getLock(folder) === getLock(root)) run("cp", ["-al", join(root, "node_modules"), folder], root);
  else run("npm", ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder);
}

/** Checks an earlier version out and builds it, unless the folder has it from the previous run. */
export function buildVersion(commit: string, folder: string): void {
  const finished = join(folder, "build", "process", "server.js");
  if (existsSync(finished)) return;
  rmSync(folder, { recursive: true, force: true });
  run("git", ["worktree", "prune"], root);
  run("git", ["worktree", "add", "--detach", folder, commit], root);
  install(folder);
  try {
    run("npm", ["run", "--silent", "build"], folder);
  } catch (error) {
    rmSync(finished, { force: true });
    throw error;
  }
}

export function removeVersion(folder: string): void {
  if (existsSync(folder)) run("git", ["worktree", "remove", "--force", folder], root);
}
