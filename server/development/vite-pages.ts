import type { ServerBuild } from "@remix-run/node";
import { ESModulesEvaluator, ModuleRunner } from "vite/module-runner";
import type { Root } from "../http.ts";
import { type PageSource, servePublicFiles } from "../pages.ts";
import { invalidateFiles } from "./invalidate-files.ts";
import { askVite, onChangedFiles } from "./vite-channel.ts";

const serverBuild = "virtual:remix/server-build";
/** Vite's base, set by `scripts/development/pages.js`. */
const base = "/assets";

/**
 * Pages as transformed by Vite in the parent process, which keeps transformed modules while this process restarts
 * with its services.
 */
export function openVitePages(): PageSource {
  const viteOrigin = process.env.VITE_ORIGIN;
  if (!viteOrigin || !process.send) throw new Error("Only `npm run dev` starts this program.");
  const runner = new ModuleRunner(
    // Changes arrive per file, and pages are reloaded as a whole.
    { transport: { invoke: askVite }, hmr: false, sourcemapInterceptor: "node" },
    new ESModulesEvaluator(),
  );
  const load = () => runner.import<ServerBuild>(serverBuild);
  onChangedFiles((files) => {
    if (files) invalidateFiles(runner.evaluatedModules, files);
    else runner.clearCache();
  });
  // Modules are fetched in the background; the first request reports errors in them.
  load().catch(() => {});
  return {
    mode: "development",
    load,
    serveFiles(root: Root) {
      root.use(`${base}/*`, (c) => forward(c.req.raw, viteOrigin));
      servePublicFiles(root, "public");
    },
    describeFailure: describeBrokenPages,
  };
}

async function forward(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  // Vite responds to its own host name only.
  headers.delete("host");
  const response = await fetch(origin + pathname + search, { method: request.method, headers });
  return new Response(response.body, response);
}

/** The error that prevents pages from loading, in a page that reloads when a file has changed. */
function describeBrokenPages(error: unknown): Response {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return new Response(
    `<!DOCTYPE html><title>Pages can't be loaded</title><script type="module" src="${base}/@vite/client"></script><pre>${escaped}</pre>`,
    {
      status: 500,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src ws:",
      },
    },
  );
}
