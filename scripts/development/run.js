/**
 * The portal with reload. Two processes: this one runs Vite and the bundler, which keep their caches; the portal's
 * own, with all six services, is bundled as in production and restarted when one of its files has changed. Browsers
 * reload their page once the change is available.
 */
import { root } from "../prepare.js";
import { openPages } from "./pages.js";
import { openProcess } from "./process.js";

process.chdir(root);
let portal;
const pages = await openPages({ report: (message) => portal?.send(message) });
const { watcher } = pages;
portal = await openProcess({
  environment: { VITE_ORIGIN: pages.origin },
  watcher,
  onMessage: pages.hear,
  onReady: pages.reloadBrowsers,
});

let ending = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await portal.stop();
    await pages.close();
    process.exit(0);
  });
}
