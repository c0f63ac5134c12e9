import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { bundle, filesEnding, toName, workerThreads } from "../../scripts/bundle.js";

/**
 * Once before a run of the suite: bundles worker threads, and the programs that tests start to kill, each into one file.
 * Read as TypeScript, each start would cost four seconds of processor time.
 */
export default async function bundlePrograms(): Promise<() => void> {
  const folder = resolve(`build/programs-of-tests-${process.pid}`);
  const programs = filesEnding(".ts").filter((path) => /\/testing\/[\w-]+-(process|program)\.ts$/.test(path));
  await bundle({ ...workerThreads(), ...Object.fromEntries(programs.map((path) => [toName(path), path])) }, folder);
  process.env.BUNDLED_PROGRAMS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
