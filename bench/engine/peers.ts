import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { measureProcess } from "./processes.ts";
import { writeBrunoCollection, writeNewmanCollection, writeStepWorkflow } from "./suite.ts";

const packages = { newman: "newman", "Bruno CLI": "@usebruno/cli", "Step CI": "stepci" } as const;

export type PeerName = keyof typeof packages;
export const peerNames = Object.keys(packages) as PeerName[];

/** A peer's program, where `installPeers` has put it. */
export function peerProgram(folder: string, name: PeerName): string {
  return join(folder, "node_modules", ".bin", { newman: "newman", "Bruno CLI": "bru", "Step CI": "stepci" }[name]);
}

/** Installs those that the folder does not have yet. */
export function installPeers(folder: string): void {
  const missing = Object.values(packages).filter((name) => !existsSync(join(folder, "node_modules", name)));
  if (missing.length === 0) return;
  process.stdout.write(`installing ${missing.join(", ")} into ${folder}\n`);
  const parameters = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", ...missing];
  const { status } = spawnSync("npm", parameters, { stdio: "inherit" });
  if (status !== 0) throw new Error("The peers could not be installed.");
}

/** Runs of the suite as whole processes, in milliseconds. */
export async function preparePeers(
  folder: string,
  work: string,
  baseUrl: string,
): Promise<Map<PeerName, () => Promise<number>>> {
  const collection = await writeNewmanCollection(work, baseUrl);
  const bruno = await writeBrunoCollection(work, baseUrl);
  const workflow = await writeStepWorkflow(work, baseUrl);
  const whole = (name: PeerName, parameters: string[], cwd: string) => async () =>
    (await measureProcess(peerProgram(folder, name), parameters, cwd)).milliseconds;
  return new Map([
    ["newman", whole("newman", ["run", collection, "--silent"], work)],
    ["Bruno CLI", whole("Bruno CLI", ["run"], bruno)],
    ["Step CI", whole("Step CI", ["run", workflow], work)],
  ]);
}
