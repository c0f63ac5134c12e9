import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread: in the bundled process from the file of the same name in its directory, otherwise from its
 * TypeScript source.
 * @param source `new URL("./name.worker.ts", import.meta.url)`
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  const { BUNDLED_PROGRAMS: bundled } = process.env;
  if (bundled) return new Worker(join(bundled, basename(source.pathname, ".ts").concat(".js")), options);
  if (existsSync(fileURLToPath(source))) {
    // `--import tsx` does not apply to a worker's entry on Node 20, so the loader is registered from inside.
    const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(source.href)}); });`;
    return new Worker(start, { ...options, eval: true });
  }
  return new Worker(new URL(source.href.replace(/\.ts$/, ".js")), options);
}
