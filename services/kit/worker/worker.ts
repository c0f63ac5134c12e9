import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread from its TypeScript source, or from the compiled file beside it once built.
 * @param source `new URL("./name.worker.ts", import.meta.url)`
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  if (existsSync(fileURLToPath(source))) {
    // `--import tsx` does not reach a worker's entry on Node 20, so the loader is registered from inside.
    const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(source.href)}); });`;
    return new Worker(start, { ...options, eval: true });
  }
  return new Worker(new URL(source.href.replace(/\.ts$/, ".js")), options);
}
