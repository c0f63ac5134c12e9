import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import type { ManualChunkMeta } from "rollup";
import { build, type Manifest, type Plugin, type ResolvedConfig } from "vite";

const folder = "app/islands";
const manifestName = ".vite/islands.json";
const virtualModule = "virtual:islands";

/** Names of the islands, one a folder. */
const names = () => readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/island.tsx`));

/**
 * Builds every island as a file of its own and tells the server their addresses by the module `virtual:islands`. So a
 * page says which file brings its island alive, and the script of all pages knows of none.
 */
export function islands(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "islands",
    configResolved(resolved) {
      config = resolved;
    },
    async closeBundle() {
      if (config.command === "build" && !config.build.ssr) await buildIslands(config);
    },
    resolveId: (id) => (id === virtualModule ? `\0${virtualModule}` : undefined),
    load(id) {
      if (id !== `\0${virtualModule}`) return undefined;
      if (config.command === "serve") {
        const sources = names().map((name) => [name, [`${config.base}${folder}/${name}/island.tsx`]]);
        return `export default ${JSON.stringify(Object.fromEntries(sources))}`;
      }
      // Only the server writes addresses into pages.
      if (!config.build.ssr) return "export default {}";
      // Remix builds what browsers load first.
      const manifest = JSON.parse(readFileSync(`build/client/${manifestName}`, "utf8")) as Manifest;
      const files = names().map((name) => [name, getFiles(manifest, `${folder}/${name}/island.tsx`)]);
      return `export default ${JSON.stringify(Object.fromEntries(files))}`;
    },
  };
}

/**
 * In a build without routes, which would split what they share with an island into a file a part: an island is one
 * file, beside React and the few that several islands share.
 */
async function buildIslands({
  build: { outDir, target, rollupOptions },
  resolve: { alias },
}: ResolvedConfig): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    resolve: { alias },
    plugins: [vanillaExtractPlugin(), withoutStyles],
    esbuild: { jsx: "automatic" },
    publicDir: false,
    build: {
      target,
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      manifest: manifestName,
      // Islands name what they need early in their pages.
      modulePreload: false,
      rollupOptions: {
        onLog: rollupOptions.onLog,
        input: names().map((name) => resolve(folder, name, "island.tsx")),
        preserveEntrySignatures: "allow-extension",
        output: {
          entryFileNames: "assets/island-[hash].js",
          manualChunks: share,
        },
      },
    },
  });
}

/** What several islands with React use is one file with it, and what others use too is another. */
function share(id: string, { getModuleIds, getModuleInfo }: ManualChunkMeta): string | undefined {
  if (ofReact.test(id)) return "parts";
  const islandsOf = (module: string, seen = new Set<string>()): Set<string> => {
    if (!seen.has(module)) {
      seen.add(module);
      for (const importer of getModuleInfo(module)!.importers) islandsOf(importer, seen);
    }
    return new Set([...seen].filter((user) => getModuleInfo(user)!.isEntry));
  };
  const withReact = new Set(
    [...getModuleIds()].filter((module) => ofReact.test(module)).flatMap((module) => [...islandsOf(module)]),
  );
  const users = islandsOf(id);
  if (users.size < 2) return undefined;
  return [...users].every((user) => withReact.has(user)) ? "parts" : "common";
}

const ofReact = /node_modules\/(react|react-dom|scheduler)\//;

/** A page has the styles of what it renders; only what an island loads later brings its own. */
const withoutStyles: Plugin = {
  name: "without-styles",
  generateBundle: {
    // Before Vite writes into an `import()` which styles belong to it.
    order: "pre",
    handler(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk" || part.isDynamicEntry) continue;
        for (const sheet of part.viteMetadata!.importedCss) delete bundle[sheet];
        part.viteMetadata!.importedCss.clear();
      }
    },
  },
};

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
