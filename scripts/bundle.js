/**
 * Bundles the process: one file per program and worker thread, next to their shared chunks, each found by its name.
 * Loading two thousand modules one by one was most of a start.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * External: packages that load their own files (a wasm, a native library); and the one that patches zod on load,
 * with everything it shares classes with.
 */
const notBundled = ["@electric-sql/pglite", "@node-rs/argon2", "pg-native", "@hono/zod-openapi", "zod", "hono"];

/** All files of libraries and services with this ending. */
export function filesEnding(ending) {
  return ["libraries", "services"].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => path.endsWith(ending)),
  );
}

/** A path's file name with another extension, by which programs and worker threads are found. */
export const toName = (path) => basename(path).replace(/\.ts$/, "");

/** @param entries source files by output path without extension */
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
  // Some CommonJS packages have a wrapper that a bundler can't follow.
  mainFields: ["module", "main"],
  external: notBundled,
  define: { "process.env.NODE_ENV": '"production"' },
  // CommonJS packages load Node's own modules by `require`.
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

/** The worker threads by name. */
export const workerThreads = () => Object.fromEntries(filesEnding(".worker.ts").map((path) => [toName(path), path]));
