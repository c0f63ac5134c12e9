import { randomUUID } from "node:crypto";
import type { DescribedOperation, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import { importDocument } from "../../services/api-registry/domain/import-document.ts";
import { defaultImportLimits } from "../../services/api-registry/domain/limits.ts";

/**
 * What the registry knows of a document: its operations and the graph of its resources.
 * @throws where the document is not imported, or has operations that can't be read
 */
export async function readDescribed(document: string): Promise<PlanInput> {
  const imported = await importDocument(
    { kind: "given", bytes: new TextEncoder().encode(document), fileName: "openapi.json", files: new Map() },
    { standardSchema, fetchFile: async () => ({ ok: false, reason: "nothing is fetched." }) },
    defaultImportLimits,
  );
  const errors = imported.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(`The document has errors: ${errors.map(({ message }) => message).join(" ")}`);
  const components = new Map(imported.components.map(({ ordinal, ...component }) => [ordinal, component]));
  const sets = new Map(imported.dependencySets.map(({ number, ordinals }) => [number, ordinals]));
  const apiId = randomUUID();
  const operations = imported.operations.map((row): OperationWithComponents => {
    const reached = (sets.get(row.dependencySet) ?? []).map((ordinal) => components.get(ordinal)!);
    return {
      apiId,
      specificationVersion: "3.1",
      operation: JSON.parse(row.described) as DescribedOperation,
      components: Object.fromEntries(reached.map(({ reference, body }) => [reference, JSON.parse(body)])),
      securitySchemes: JSON.parse(row.securitySchemes),
    };
  });
  return {
    wanted: operations.map(({ operation: { method, path } }) => ({ method, path })),
    operations,
    resources: imported.resources.map(({ resource }) => resource),
    consumers: imported.consumers.flatMap(({ consumers }) => consumers),
  };
}
