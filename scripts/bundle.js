/**
 * Bundles the process: one file a program and worker thread, what they share beside them, each found by its name.
 * Loading two thousand modules one by one was most of a start.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Left to Node: they bring files of their own (a wasm, a native library); and what changes zod as it loads, with all that
 * it shares classes with.
 */
const notBundled = ["@electric-sql/pglite", "@node-rs/argon2", "pg-native", "@hono/zod-openapi", "zod", "hono"];

/** All files of libraries and services whose name ends so. */
export function filesEnding(ending) {
  return ["libraries", "services"].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => path.endsWith(ending)),
  );
}

/** A path's file name with another ending: programs and worker threads are found by it. */
export const nameOf = (path) => basename(path).replace(/\.ts$/, "");

/** @param entries source by the path it gets in the folder, without its ending */
export const bundleOptions = (entries, folder) => ({
  entryPoints: entries,
  outdir: folder,
  bundle: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // CommonJS in some packages is a wrapper that a bundler can't follow.
  mainFields: ["module", "main"],
  external: notBundled,
  define: { "process.env.NODE_ENV": '"production"' },
  // Packages of CommonJS ask for Node's own modules by `require`.
  banner: {
    js: `import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);`,
  },
  sourcemap: "linked",
  sourcesContent: false,
  logLevel: "error",
});

export async function bundle(entries, folder) {
  rmSync(folder, { recursive: true, force: true });
  await build(bundleOptions(entries, folder));
}

/** The worker threads, by their names. */
export const workerThreads = () => Object.fromEntries(filesEnding(".worker.ts").map((path) => [nameOf(path), path]));
