import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import { toPlanInput } from "../../cli/document/plan-input.ts";
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
  return toPlanInput(imported);
}
