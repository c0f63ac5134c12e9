import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CodeProvenance } from "#contracts/code/objects.ts";

/** Repository and commit of a folder: of the pipeline, or of Git. Both are empty where there is no repository. */
export async function readProvenance(folder: string): Promise<CodeProvenance> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, CI_PROJECT_URL, CI_COMMIT_SHA } = process.env;
  if (GITHUB_REPOSITORY && GITHUB_SHA)
    return { repository: `${GITHUB_SERVER_URL ?? "https://github.com"}/${GITHUB_REPOSITORY}`, commit: GITHUB_SHA };
  if (CI_PROJECT_URL && CI_COMMIT_SHA) return { repository: toWebAddress(CI_PROJECT_URL), commit: CI_COMMIT_SHA };
  const [remote, commit, changes] = await Promise.all([
    git(folder, "remote", "get-url", "origin"),
    git(folder, "rev-parse", "HEAD"),
    git(folder, "status", "--porcelain", "--", "."),
  ]);
  return {
    repository: toWebAddress(remote ?? "").slice(0, 500),
    commit: commit === undefined ? "" : `${commit}${changes ? "-dirty" : ""}`,
  };
}

/** "https://git.example.com/shop/assurance" of the address of a clone; without the credentials that it may have. */
export function toWebAddress(remote: string): string {
  const path = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote);
  const address = path ? `https://${path[1]}/${path[2]}` : remote;
  if (!URL.canParse(address)) return "";
  const url = new URL(address);
  if (!/^(https?|ssh|git):$/.test(url.protocol)) return "";
  const origin = /^https?:$/.test(url.protocol) ? url.origin : `https://${url.hostname}`;
  return `${origin}${url.pathname.replace(/\.git$|\/$/, "")}`;
}

async function git(folder: string, ...given: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", folder, ...given], { timeout: 10_000 });
    return stdout.trim();
  } catch {
    return undefined;
  }
}
