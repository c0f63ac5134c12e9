import type { EvaluatedModuleNode, EvaluatedModules } from "vite/module-runner";

/** Has modules of these files evaluated again at the next import, and with them all that import one of them. */
export function invalidateFiles(modules: EvaluatedModules, files: string[]): void {
  const outdated = new Set<EvaluatedModuleNode>();
  const visit = (module: EvaluatedModuleNode) => {
    if (outdated.has(module)) return;
    outdated.add(module);
    for (const id of module.importers) {
      const importer = modules.getModuleById(id);
      if (importer) visit(importer);
    }
  };
  for (const file of files) modules.getModulesByFile(file)?.forEach(visit);
  for (const module of outdated) modules.invalidateModule(module);
}
