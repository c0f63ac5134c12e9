import type { ComparedDocument } from "#libraries/openapi/comparison/compare-documents.ts";
import type { ImportedDocument } from "../imported-document.ts";

/** A document that was just read, as a comparison takes it. */
export function toComparedDocument({
  operations,
  components,
  dependencySets,
  metadata,
}: ImportedDocument): ComparedDocument {
  const ordinals = new Map(dependencySets.map((set) => [set.number, set.ordinals]));
  return {
    operations: operations.map(({ kind, method, path, described, dependencySet }) => ({
      kind,
      method,
      path,
      described,
      ordinals: ordinals.get(dependencySet) ?? [],
    })),
    components: new Map(components.map((component) => [component.ordinal, component])),
    servers: metadata.servers,
    securitySchemes: metadata.securitySchemes,
  };
}
