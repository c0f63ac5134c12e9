/**
 * The styles of all pages in one sheet, as in the build: the document's own first, and each part before those that
 * build on it, so that they can override it.
 */
export function sheetOfAllPages(base) {
  return {
    name: "sheet-of-all-pages",
    enforce: "pre",
    // The sheet contains them all: styles that islands import would repeat after the styles that override them.
    load(id) {
      return this.environment.name === "client" && id.endsWith(".vanilla.css") ? "" : undefined;
    },
    // Pages are documents: a changed one is reloaded as a whole.
    hotUpdate: () => [],
    configureServer(vite) {
      vite.middlewares.use(`${base}@styles.css`, async (_request, response, next) => {
        try {
          const text = await collect(vite.environments.ssr);
          response.writeHead(200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" }).end(text);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}

async function collect({ moduleGraph, pluginContainer }) {
  const visited = new Set();
  const rules = [];
  async function visit(module) {
    if (!module || visited.has(module)) return;
    visited.add(module);
    const imported = module.transformResult?.deps ?? [...module.importedModules].map(({ url }) => url);
    for (const url of imported) await visit(await moduleGraph.getModuleByUrl(url));
    if (!module.id?.endsWith(".css")) return;
    const loaded = await pluginContainer.load(module.id);
    if (loaded) rules.push(typeof loaded === "string" ? loaded : loaded.code);
  }
  await visit(await moduleGraph.getModuleByUrl("/app/root.tsx"));
  await visit(await moduleGraph.getModuleByUrl("virtual:remix/server-build"));
  return rules.join("\n");
}
