import type { Logger } from "pino";
import { createCodePart } from "../../../kit/code/code-part.ts";
import { schemaName } from "../../store/tables.ts";
import type { RegistryContext } from "../context.ts";
import { createApiKind } from "./apis.ts";
import { createStoredDocuments } from "./documents.ts";

/** The part of files that this service owns: APIs. */
export function createApiRegistryPart(context: RegistryContext, log: Logger) {
  const documents = createStoredDocuments(context);
  return createCodePart({
    ...context,
    log,
    schema: schemaName,
    kinds: [createApiKind(context, documents)],
    around: documents.around,
  });
}
