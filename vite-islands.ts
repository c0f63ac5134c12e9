import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Manifest, Plugin } from "vite";

const folder = "app/islands";
const manifestFile = "build/client/.vite/manifest.json";
const virtualModule = "virtual:islands";

/** Names of the islands, one a folder. */
const names = () => readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/island.tsx`));

/**
 * Builds every island as a file of its own and tells the server their addresses by the module `virtual:islands`. So a
 * page says which file brings its island alive, and the script of all pages knows of none.
 */
export function islands(): Plugin {
  let forBrowsers = false;
  let developmentBase: string | undefined;
  return {
    name: "islands",
    configResolved({ base, build, command }) {
      forBrowsers = command === "build" && !build.ssr;
      developmentBase = command === "serve" ? base : undefined;
    },
    buildStart() {
      if (!forBrowsers) return;
      for (const name of names()) {
        this.emitFile({ type: "chunk", id: resolve(folder, name, "island.tsx"), preserveSignature: "exports-only" });
      }
    },
    resolveId: (id) => (id === virtualModule ? `\0${virtualModule}` : undefined),
    load(id) {
      if (id !== `\0${virtualModule}`) return undefined;
      // Only the server writes addresses into pages.
      if (forBrowsers) return "export default {}";
      if (developmentBase) {
        const sources = names().map((name) => [name, [`${developmentBase}${folder}/${name}/island.tsx`]]);
        return `export default ${JSON.stringify(Object.fromEntries(sources))}`;
      }
      // Remix builds what browsers load first.
      const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
      const files = names().map((name) => [name, getFiles(manifest, `${folder}/${name}/island.tsx`)]);
      return `export default ${JSON.stringify(Object.fromEntries(files))}`;
    },
  };
}

/** The island's own file and all that it imports at once: a browser told of them early loads them in one go. */
function getFiles(manifest: Manifest, entry: string): string[] {
  const found = new Set<string>();
  const visit = (key: string) => {
    const { file, imports = [] } = manifest[key]!;
    if (found.has(`/${file}`)) return;
    found.add(`/${file}`);
    imports.forEach(visit);
  };
  visit(entry);
  return [...found];
}
