import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Manifest, Plugin } from "vite";

const built = "build/client";
const virtualModule = "virtual:styles";

/**
 * Tells the server the rules of every built sheet by the module `virtual:styles`, for pages that bring theirs along, and
 * writes all of them into one sheet for the pages that follow. In development there is that sheet only.
 */
export function styles(): Plugin {
  let forBrowsers = false;
  let developmentBase: string | undefined;
  return {
    name: "styles",
    configResolved({ base, build, command }) {
      forBrowsers = command === "build" && !build.ssr;
      developmentBase = command === "serve" ? base : undefined;
    },
    resolveId: (id) => (id === virtualModule ? `\0${virtualModule}` : undefined),
    load(id) {
      if (id !== `\0${virtualModule}`) return undefined;
      // Only the server writes rules into pages.
      if (forBrowsers) return "export default {}";
      if (developmentBase)
        return `export default ${JSON.stringify({ sheet: `${developmentBase}@styles.css`, rules: {} })}`;
      // Remix builds what browsers load first.
      const manifest = JSON.parse(readFileSync(`${built}/.vite/manifest.json`, "utf8")) as Manifest;
      const rules = getSheets(manifest).map((file) => [`/${file}`, readFileSync(`${built}/${file}`, "utf8")] as const);
      const all = rules.map(([, text]) => text).join("");
      const sheet = `/assets/all-${createHash("sha256").update(all).digest("hex").slice(0, 8)}.css`;
      writeFileSync(built + sheet, all);
      return `export default ${JSON.stringify({ sheet, rules: Object.fromEntries(rules) })}`;
    },
  };
}

/** What builds on a part comes after it, so that it can change it; first of all the document's own. */
function getSheets(manifest: Manifest): string[] {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string) => {
    if (visited.has(key)) return;
    visited.add(key);
    const { imports = [], css = [] } = manifest[key]!;
    imports.forEach(visit);
    for (const file of css) files.add(file);
  };
  const keys = Object.keys(manifest);
  keys.filter((key) => key.startsWith("app/root.tsx")).forEach(visit);
  keys.forEach(visit);
  return [...files];
}
