import type { DescribedOperation, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import type { ImportedDocument } from "../../services/api-registry/domain/imported-document.ts";

/** What a suite is planned from: the operations of a document and the graph of its resources. */
export function toPlanInput(imported: ImportedDocument): PlanInput {
  const components = new Map(imported.components.map(({ ordinal, ...component }) => [ordinal, component]));
  const sets = new Map(
    imported.dependencySets.map(({ number, ordinals }) => [
      number,
      Object.fromEntries(
        ordinals.map((ordinal) => {
          const { reference, body } = components.get(ordinal)!;
          return [reference, JSON.parse(body)];
        }),
      ),
    ]),
  );
  const rows = imported.operations.filter(({ kind }) => kind === "operation");
  const { servers } = imported.metadata;
  const operations = rows.map((row): OperationWithComponents => {
    const operation = JSON.parse(row.described) as DescribedOperation;
    const hasOwn = JSON.stringify(operation.servers) !== JSON.stringify(servers);
    return {
      ...{ apiId: "", operation, ...(hasOwn ? { documentServers: servers } : {}) },
      specificationVersion: imported.inspection.specificationVersion!,
      components: sets.get(row.dependencySet) ?? {},
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
