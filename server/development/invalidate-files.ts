import type { EvaluatedModuleNode, EvaluatedModules } from "vite/module-runner";

/**
 * Invalidates the modules of these files and all modules that import one of them, so that the next import evaluates
 * them again.
 */
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
