import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { createServer } from "vite";
import { root } from "../prepare.js";
import { sheetOfAllPages } from "./sheet.js";

const base = "/assets/";
const app = join(root, "app");
/** An editor that saves all its files causes one change. */
const settledMilliseconds = 30;
/** Remix reads its routes again in this time, and has no event for the end. */
const routesMilliseconds = 500;

/** Vite in this process, called by the portal's process for modules and by browsers (through it) for files. */
export async function openPages({ report }) {
  const http = createHttpServer((request, response) => vite.middlewares(request, response));
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  const { port } = http.address();
  const origin = `http://127.0.0.1:${port}`;
  const vite = await createServer({
    root,
    base,
    configFile: join(root, "vite.config.ts"),
    mode: "development",
    logLevel: "warn",
    clearScreen: false,
    cacheDir: join(root, "build/vite"),
    server: {
      middlewareMode: true,
      hmr: { server: http, host: "127.0.0.1", clientPort: port },
      watch: { ignored: ["build", "data", "test-results"].map((name) => join(root, name, "**")) },
    },
    plugins: [sheetOfAllPages(base)],
  });

  let changes = 0;
  let settling;
  let changed = new Set();
  let areOthers = false;
  function announce() {
    changes += 1;
    report({ change: changes, ...(areOthers ? {} : { files: [...changed] }) });
    changed = new Set();
    areOthers = false;
  }
  vite.watcher.on("all", (event, path) => {
    if (!path.startsWith(app)) return;
    areOthers ||= event !== "change" || path === join(app, "routes.ts");
    changed.add(path);
    clearTimeout(settling);
    settling = setTimeout(announce, areOthers ? routesMilliseconds : settledMilliseconds);
  });
  const reloadBrowsers = () => vite.ws.send({ type: "full-reload", path: "*" });

  return {
    origin,
    watcher: vite.watcher,
    reloadBrowsers,
    /** A request from the portal's process, or its confirmation of a change. */
    async hear({ number, question, change }, reply) {
      if (change) return reloadBrowsers();
      reply({ number, answer: await vite.environments.ssr.hot.handleInvoke(question) });
    },
    async close() {
      await vite.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
